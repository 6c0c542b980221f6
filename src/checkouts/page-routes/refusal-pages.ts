// Refusals as pages.
import type { AppRequest, RenderRefusal } from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import {
  checkoutPath,
  type Locale,
  loadAssets,
  localeOf,
  type ProblemPage,
  pageHeaders,
  renderProblemPage,
} from '../../pages/index.ts'
import type { SimulatedMoney } from '../../rails/index.ts'

export interface RefusalPagesDeps {
  readonly manifestPath: string
  readonly simulated: SimulatedMoney | undefined
}

export function createRefusalPages({ manifestPath, simulated }: RefusalPagesDeps): RenderRefusal {
  const assets = loadAssets(manifestPath)
  return (request, _refusal, status) => {
    const locale = localeOf(request)
    const problem = problems[status] ?? 'bad_request'
    const retryUrl = problem === 'not_found' ? undefined : retryPath(request, locale)
    const page = { locale, assets, simulated, problem, tid: request.id, retryUrl }
    return { html: renderProblemPage(page), headers: pageHeaders() }
  }
}

const problems: Readonly<Record<number, ProblemPage['problem']>> = {
  404: 'not_found',
  429: 'too_many_requests',
  500: 'internal',
  503: 'unavailable',
}

/** Leads to the page of the present state. A form is never sent again. */
function retryPath({ method, url, params }: AppRequest, locale: Locale): string | undefined {
  const [path = ''] = url.split('?')
  const { id } = (params ?? {}) as { id?: string }
  if (path.startsWith('/checkout/') && id !== undefined && isUuid(id)) return checkoutPath(id, locale)
  return method === 'GET' && /^\/[a-z0-9]/i.test(path) ? `${path}?lang=${locale}` : undefined
}
