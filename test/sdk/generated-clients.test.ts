// Clients that other people's generators make of the API reference: each is compiled, makes a payment and reads it.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { goProgram } from '../go.ts'
import { pythonWith } from '../python.ts'
import type { World } from '../world.ts'

const run = promisify(execFile)

/** Go and Java compile for a minute or more. */
const isProof = process.env.PROVE === '1'

const npm = npmPackages(['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'])
const python = pythonWith(['openapi-python-client==0.29.1'])
const go = isProof ? goProgram('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2') : undefined
const java = isProof ? mavenJar('org.openapitools:openapi-generator-cli:7.17.0') : undefined

let world: World
let folder: string
beforeAll(async () => {
  world = await openWorld()
  folder = mkdtempSync(join(tmpdir(), 'comporta-clients-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.stop()
})

/** The folder of npm packages, installed once and kept; undefined where there is no registry, which is said loudly. */
function npmPackages(packages: readonly string[]): string | undefined {
  const place = join(tmpdir(), `comporta-npm-${packages.join('+').replaceAll(/[^\w.+-]/g, '-')}`)
  if (existsSync(place)) return place
  const draft = mkdtempSync(join(tmpdir(), 'comporta-npm-draft-'))
  return unless(`TypeScript with ${packages.join(', ')}`, () => {
    writeFileSync(join(draft, 'package.json'), '{"private":true,"type":"module"}')
    execute('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages], draft)
    renameSync(draft, place)
    return place
  })
}

/** The path of a jar in the local repository of Maven; undefined where there is no Java or no repository. */
function mavenJar(artifact: string): string | undefined {
  const [group = '', name = '', version = ''] = artifact.split(':')
  return unless(`Java and Maven with ${artifact}`, () => {
    execute('java', ['-version'])
    execute('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${artifact}`])
    const home = execute('mvn', [
      ...['-q', '-B', 'help:evaluate', '-DforceStdout', '-Dexpression=settings.localRepository'],
    ])
    return join(
      stripVTControlCharacters(home).trim(),
      group.replaceAll('.', '/'),
      name,
      version,
      `${name}-${version}.jar`,
    )
  })
}

function unless(what: string, install: () => string): string | undefined {
  try {
    return install()
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: clients in ${what}: ${reason}\n\n`)
    return undefined
  }
}

function execute(command: string, args: readonly string[], cwd = tmpdir()): string {
  return execFileSync(command, args, { cwd, stdio: 'pipe', timeout: 300_000, encoding: 'utf8' })
}

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** What the program prints is the id of the payment that it made and read, and its amount. */
async function expectPayment(output: string): Promise<void> {
  const [id = '', amount] = output.trim().split(/\s+/).slice(-2)
  expect(await world.operation(id)).toMatchObject({ amount: 12.35, method: 'MB', status: 'PENDING' })
  expect(Number(amount)).toBe(12.35)
}

const inFolder = (more: NodeJS.ProcessEnv = {}) => ({
  cwd: folder,
  env: { ...process.env, BASE_URL: world.baseUrl, API_KEY: `Comporta ${world.shop.api_key}`, ...more },
})

it.runIf(npm)('TypeScript, by openapi-typescript and openapi-fetch', async () => {
  const bin = (name: string) => join(npm ?? '', 'node_modules', '.bin', name)
  const options = ['--default-non-nullable=false', '-o', 'ts/schema.d.ts']
  await run(bin('openapi-typescript'), [`${world.baseUrl}/openapi.json`, ...options], inFolder())
  write('ts/package.json', '{"type":"module"}')
  const file = write(
    'ts/client.ts',
    `import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
const { BASE_URL, API_KEY } = (globalThis as any).process.env
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: API_KEY } })
const made = await client.POST('/api/v2/mb/pay', {
  body: { amount: 12.35, currency: 'EUR', method: 'MB', type: 'PAYMENT' },
})
const read = await client.GET('/api/v2/operations/{id}', { params: { path: { id: made.data!.id } } })
console.log(read.data!.id, read.data!.amount)
`,
  )
  execute('ln', ['-s', join(npm ?? '', 'node_modules'), join(folder, 'ts', 'node_modules')])
  const strict = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--skipLibCheck',
    'false',
  ]
  await run(bin('tsc'), [...strict, '--allowImportingTsExtensions', file], inFolder())
  await expectPayment((await run(process.execPath, [file], inFolder())).stdout)
})

it.runIf(python)('Python, by openapi-python-client', async () => {
  const generate = ['-m', 'openapi_python_client', 'generate', '--meta', 'none', '--overwrite']
  const generated = await run(
    python ?? '',
    [...generate, '--url', `${world.baseUrl}/openapi.json`, '--output-path', 'comporta'],
    inFolder(),
  )
  // The picture of the button is the one answer that it leaves out.
  expect(generated.stderr.match(/WARNING parsing .*/g)).toEqual([
    'WARNING parsing GET /api/v2/anon/images/button within checkout.',
  ])
  await run(python ?? '', ['-m', 'compileall', '-q', 'comporta'], inFolder())
  const file = write(
    'client.py',
    `import os
from comporta import AuthenticatedClient
from comporta.api.bank_references import create_reference_payment
from comporta.api.operations import get_operation
from comporta.models import ReferencePaymentRequest, ReferencePaymentRequestCurrency
prefix, token = os.environ["API_KEY"].split(" ")
client = AuthenticatedClient(os.environ["BASE_URL"], token, prefix)
body = ReferencePaymentRequest(amount=12.35, currency=ReferencePaymentRequestCurrency.EUR)
made = create_reference_payment.sync(client=client, body=body)
read = get_operation.sync(made.id, client=client)
print(read.id, read.amount)
`,
  )
  await expectPayment((await run(python ?? '', [file], inFolder())).stdout)
})

it.runIf(go)('Go, by oapi-codegen of the document in OpenAPI 3.0', async () => {
  const { text } = await world.request('/openapi-3.0.json')
  write('go/openapi.json', text)
  write(
    'go/main.go',
    `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	client, err := NewClientWithResponses(os.Getenv("BASE_URL"))
	check(err)
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", os.Getenv("API_KEY"))
		return nil
	}
	body := ReferencePaymentRequest{Amount: 12.35, Currency: "EUR"}
	made, err := client.CreateReferencePaymentWithResponse(context.Background(), nil, body, key)
	check(err)
	read, err := client.GetOperationWithResponse(context.Background(), made.JSON200.Id, key)
	check(err)
	fmt.Println(read.JSON200.Id, read.JSON200.Amount)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`,
  )
  const here = { ...inFolder({ GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' }), cwd: join(folder, 'go') }
  const generate = ['-generate', 'types,client', '-package', 'main', '-o', 'client.gen.go', 'openapi.json']
  await run(go ?? '', generate, here)
  await run('go', ['mod', 'init', 'example.com/client'], here)
  await run('go', ['get', 'github.com/oapi-codegen/runtime@v1.9.0'], here)
  await expectPayment((await run('go', ['run', '.'], here)).stdout)
})

it.runIf(java)('Java, by openapi-generator', async () => {
  const options = ['-g', 'java', '--library', 'native', '--skip-validate-spec', '-o', 'java']
  const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
  await run(
    'java',
    [
      '-jar',
      java ?? '',
      'generate',
      '-i',
      `${world.baseUrl}/openapi.json`,
      ...options,
      '--global-property',
      parts,
    ],
    { ...inFolder(), maxBuffer: 1e8 },
  )
  write(
    'java/src/main/java/Client.java',
    `import java.math.BigDecimal;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Client {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", System.getenv("API_KEY")));
    ReferencePaymentRequest body = new ReferencePaymentRequest()
      .amount(new ReferencePaymentRequestAmount(new BigDecimal("12.35")))
      .currency(ReferencePaymentRequest.CurrencyEnum.EUR);
    Operation made = new BankReferencesApi(client).createReferencePayment(body, null);
    OperationRead read = new OperationsApi(client).getOperation(made.getId());
    System.out.println(read.getId() + " " + read.getAmount());
  }
}
`,
  )
  const here = { ...inFolder(), cwd: join(folder, 'java'), maxBuffer: 1e8 }
  await run('mvn', ['-q', '-B', '-DskipTests', 'compile', 'dependency:copy-dependencies'], here)
  await expectPayment(
    (await run('java', ['-cp', 'target/classes:target/dependency/*', 'Client'], here)).stdout,
  )
})
