// Which phone to pick up: any number, or one that was asked something lately.
import { html } from 'ghtml'
import { toolPage } from '../pages/layout.ts'
import { spaced } from './parts.ts'
import { phonesPath } from './paths.ts'

export interface RecentPhone {
  readonly phone: string
  /** Requests that wait for an answer. */
  readonly waiting: number
}

export function numbersPage(recent: readonly RecentPhone[], wrong: string | undefined): string {
  const links = recent.map(
    ({ phone, waiting }) =>
      html`<li><a class="card-link" href="${phonesPath}/${phone.replace('+', '')}"><strong class="number">${spaced(phone)}</strong> ${waiting === 0 ? 'nothing waits' : waiting === 1 ? 'one request waits' : `${waiting} requests wait`}</a></li>`,
  )
  return toolPage({
    title: 'Phone',
    path: phonesPath,
    body: html`
      <p class="lead">
        The payment app on a customer’s phone. Every Portuguese mobile number has one, except those that end in 99:
        they are not registered. What is asked of a phone waits there for 4 minutes.
      </p>
      !${wrong === undefined ? '' : html`<p class="problem" role="alert" id="wrong">${wrong} is no number of the mobile wallet: 9 digits that begin with 91, 92, 93 or 96, and do not end in 99.</p>`}
      <form method="get" action="${phonesPath}">
        <label for="number">Number</label>
        <div class="row">
          <div class="grow"><input id="number" name="number" type="tel" inputmode="tel" placeholder="912 345 678" required
            !${wrong === undefined ? '' : 'aria-invalid="true" aria-describedby="wrong"'}></div>
          <button type="submit">Pick up</button>
        </div>
      </form>
      !${recent.length === 0 ? '' : html`<h2>Asked lately</h2><ul class="cards">!${links}</ul>`}`,
  })
}
