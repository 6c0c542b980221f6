// Restrictions of the files in deploy/, as docs/deploying.md lists them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import type { Json } from '../world.ts'

const root = join(import.meta.dirname, '../..')
const deploy = (file: string) => join(root, 'deploy', file)
const textOf = (file: string) => readFileSync(deploy(file), 'utf8')

describe('the Dockerfile', () => {
  const text = textOf('Dockerfile')
  const [, ...stages] = text.split(/^FROM /m)
  const [build = '', run = '', ...targets] = stages

  it('builds in one stage, and runs in others, by default for production', () => {
    for (const stage of [build, run]) expect(stage).toMatch(/^\$\{NODE_IMAGE\} AS /)
    expect(targets.map((target) => target.split('\n')[0])).toEqual(['run AS sandbox', 'run AS production'])
    expect([run, ...targets].join('')).not.toMatch(/npm (ci|install)/)
    expect(build).toContain('npm prune --omit=dev --omit=optional')
  })

  it('runs as an unprivileged user, with a health check', () => {
    expect(run).toMatch(/^USER 1000:1000$/m)
    expect(run).toMatch(/^HEALTHCHECK /m)
    const [, probe = ''] = /\n {2}CMD (\[.*\])/.exec(run) ?? []
    expect(() => new Function((JSON.parse(probe) as string[])[2] ?? 'throw')).not.toThrow()
  })
})

describe('images of others', () => {
  const compose = parse(textOf('compose.yaml'), { merge: true }) as Json
  const { gateway, ...others } = compose.services
  const used = [
    gateway.build.args.NODE_IMAGE,
    ...Object.values<Json>(others).map(({ image }) => image),
  ] as string[]
  const pinned = used.map((image) => /^\$\{(\w+_IMAGE):-([a-z]+:\d+[\w.-]+)(?:@sha256:\w+)?\}$/.exec(image))

  it('have a fixed version, and the environment can set another or a digest', () => {
    expect(pinned).not.toContain(null)
    expect(textOf('Dockerfile')).toContain(`ARG NODE_IMAGE=${pinned[0]?.[2]}`)
  })

  it('equal those of the guide, and Renovate updates them', () => {
    const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8')
    for (const [, name, image] of pinned as string[][]) expect(guide).toContain(`pin ${name} ${image}\n`)
    const { extends: presets } = JSON.parse(readFileSync(join(root, 'renovate.json'), 'utf8'))
    expect(presets).toEqual(expect.arrayContaining(['docker:pinDigests', 'helpers:pinGitHubActionDigests']))
  })
})

describe('compose.yaml', () => {
  const compose = parse(textOf('compose.yaml'), { merge: true }) as Json

  it('limits the gateway’s writable folders, and hides the database from others', () => {
    const { gateway, postgres, proxy } = compose.services
    expect(gateway).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true })
    expect(gateway.ports ?? postgres.ports).toBeUndefined()
    expect(postgres.networks).toEqual(['inside'])
    expect(compose.networks.inside).toEqual({ internal: true })
    expect(proxy.ports).toContain('443:443')
  })

  it('connects as its own role, which the first start of PostgreSQL creates', () => {
    const { gateway, postgres } = compose.services
    expect(postgres.environment.POSTGRES_USER).toBeUndefined()
    expect(gateway.environment.DATABASE_URL).toContain('://comporta:${DATABASE_PASSWORD:?')
    expect(postgres.environment.DATABASE_PASSWORD).toContain('${DATABASE_PASSWORD:?')
    const [script = ''] = postgres.volumes.filter((each: string) =>
      each.includes('docker-entrypoint-initdb.d'),
    )
    expect(existsSync(deploy(script.split(':')[0]))).toBe(true)
    // Only the superuser may read the archive and the backups.
    expect(JSON.stringify(gateway)).not.toContain('POSTGRES_PASSWORD')
  })

  it('limits memory, processes and capabilities of every service', () => {
    for (const [name, service] of Object.entries<Json>(compose.services)) {
      const { mem_limit, pids_limit, cap_drop, security_opt } = service
      expect([name, mem_limit, pids_limit]).toEqual([name, expect.any(String), expect.any(Number)])
      expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']])
    }
  })

  it('sets only settings that the gateway knows', () => {
    const given: Record<string, string> = {
      DATABASE_PASSWORD: 'secret',
      DOMAIN: 'pay.example.com',
      METRICS_TOKEN: 'x'.repeat(16),
    }
    const filled = (text: unknown) =>
      String(text).replace(/\$\{(\w+)(?::[?-]([^}]*))?\}/g, (all, name, standard) =>
        all.includes(':-') ? standard : (given[name] ?? 'missing'),
      )
    expect(loadConfig(mapped(compose.services.gateway.environment, filled))).toMatchObject({ ok: true })
  })
})

describe('the Kubernetes example', () => {
  const documents = parseAllDocuments(textOf('kubernetes/comporta.yaml')).map(
    (document) => document.toJS() as Json,
  )
  const one = (kind: string) => documents.find((document) => document.kind === kind)

  it('always has a ready pod, and is locked', () => {
    const { strategy, template } = one('Deployment').spec
    expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    for (const container of [...template.spec.containers, ...template.spec.initContainers])
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    expect(one('Secret')).toBeUndefined()
  })

  it('reaches DNS, its database and outside https only', () => {
    const { policyTypes, egress } = one('NetworkPolicy').spec
    expect(policyTypes).toEqual(['Ingress', 'Egress'])
    const ports = egress.flatMap((rule: Json) => rule.ports.map(({ port }: Json) => port))
    expect(ports).toEqual([53, 53, 5432, 443])
    const [, , https] = egress
    expect(https.to[0].ipBlock.except).toEqual(expect.arrayContaining(['169.254.0.0/16', '10.0.0.0/8']))
  })

  it('sets only known settings, and probes existing addresses', () => {
    const [gateway] = one('Deployment').spec.template.spec.containers
    const environment = Object.fromEntries(
      gateway.env.map(({ name, value }: Json) => [
        name,
        value ?? (name === 'DATABASE_URL' ? 'postgres://x' : 'x'.repeat(16)),
      ]),
    )
    expect(loadConfig(environment)).toMatchObject({ ok: true })
    expect(gateway.readinessProbe.httpGet.path).toBe('/readyz')
    expect(gateway.livenessProbe.httpGet.path).toBe('/healthz')
  })
})

describe('the systemd unit', () => {
  const text = textOf('comporta.service')

  it('is a valid unit: each setting once, or a list', () => {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines.filter((line) => !/^(\[(Unit|Service|Install)\]|[A-Z]\w+=.*)$/.test(line))).toEqual([])
    const names = lines.filter((line) => line.includes('=')).map((line) => line.split('=')[0])
    const repeated = names.filter((name, index) => names.indexOf(name) !== index)
    expect(repeated).toEqual(['SystemCallFilter'])
  })

  it('is valid and hardened by systemd’s own checks', ({ skip }) => {
    try {
      analyze('--version')
    } catch {
      process.stderr.write('\nSKIPPED, and so NOT SHOWN: systemd-analyze is not here\n\n')
      return skip()
    }
    const folder = mkdtempSync(join(tmpdir(), 'comporta-unit-'))
    const unit = join(folder, 'comporta.service')
    writeFileSync(unit, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    expect(analyze('verify', '--man=no', unit)).toBe('')
    const rated = analyze('security', '--offline=true', '--no-pager', unit)
    const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(rated) ?? []
    expect(Number(exposure)).toBeLessThan(2)
    writeFileSync(unit, text.replace('KillMode=mixed', 'KillMode=sometimes'))
    expect(() => analyze('verify', '--man=no', unit)).toThrow()
    rmSync(folder, { recursive: true })
  })

  it('sets only settings that the gateway knows', () => {
    const [, given = ''] = /^Environment=(.+)$/m.exec(text) ?? []
    const environment = Object.fromEntries(
      given.split(' ').map((pair) => pair.split('=') as [string, string]),
    )
    const fromFile = { BASE_URL: 'https://pay.example.com', DATABASE_URL: 'postgres://x' }
    expect(loadConfig({ ...environment, ...fromFile })).toMatchObject({ ok: true })
  })
})

describe('the units of a cell', () => {
  const units = ['etcd', 'patroni', 'haproxy'] as const
  const unitOf = (name: string) => textOf(`ha/${name}.service`)

  it('listen on the address of their machine only', () => {
    for (const file of [...units.map((name) => `ha/${name}.service`), 'ha/patroni.yaml', 'ha/haproxy.cfg'])
      expect([file, /\b0\.0\.0\.0\b|\[::\]|bind "?[*:]/.test(textOf(file))]).toEqual([file, false])
    const namesIn = (text: string, listen: RegExp) => [...text.matchAll(listen)].map(([, name]) => name)
    expect(namesIn(unitOf('etcd'), /--listen-\S+=https:\/\/\$\{(\w+)\}:\d+/g)).toEqual(['ADDRESS', 'ADDRESS'])
    expect(namesIn(unitOf('patroni'), /_LISTEN=\$\{(\w+)\}:\d+/g)).toEqual(['ADDRESS', 'ADDRESS'])
  })

  it('loses no answered commit: the settings that decide it', () => {
    const { dcs } = (parse(textOf('ha/patroni.yaml'), { merge: true }) as Json).bootstrap
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, failsafe_mode: true })
    // The rule of Patroni; a smaller ttl would end the place of a living primary.
    expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout)
  })

  it('asks for a certificate of the cell on every port but the public one', () => {
    const binds = textOf('ha/haproxy.cfg').match(/^ *(?:default-)?bind .*$/gm) ?? []
    const open = binds.filter((line) => !line.includes('verify required'))
    expect(open.map((line) => /\{(\w+)\}/.exec(line)?.[1])).toEqual(['DATABASE', 'PUBLIC'])
    const { restapi, postgresql } = parse(textOf('ha/patroni.yaml'), { merge: true }) as Json
    expect(restapi.verify_client).toBe('required')
    const remote = (postgresql.pg_hba as string[]).filter((line) => !line.startsWith('local '))
    expect(remote.filter((line) => !/^hostssl .* clientcert=verify-ca$/.test(line))).toEqual([])
    expect(unitOf('etcd')).toMatch(/--client-cert-auth .*--peer-client-cert-auth /s)
  })

  it.for(units)('%s is valid and hardened by systemd’s own checks', (name, { skip }) => {
    try {
      analyze('--version')
    } catch {
      process.stderr.write('\nSKIPPED, and so NOT SHOWN: systemd-analyze is not here\n\n')
      return skip()
    }
    const folder = mkdtempSync(join(tmpdir(), 'comporta-unit-'))
    const unit = join(folder, `${name}.service`)
    writeFileSync(unit, unitOf(name).replaceAll(/^(Exec\w+)=\S+/gm, '$1=/bin/true'))
    expect(analyze('verify', '--man=no', unit)).toBe('')
    const rated = analyze('security', '--offline=true', '--no-pager', unit)
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(rated)?.[1])).toBeLessThan(5)
    rmSync(folder, { recursive: true })
  })
})

function analyze(...args: string[]): string {
  return execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function mapped(values: Record<string, unknown>, change: (value: unknown) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
