import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { SEALED_COLUMNS } from '../../server/services/secrets/sealedValues.ts'
import { registerAgent, registerEndpoint, signHeaders } from '../builders/participants.ts'
import { createMigratedDatabase, type PostgresDatabase } from '../harness/database/postgres.ts'
import { queryDatabase } from '../harness/database/queryDatabase.ts'
import { testedDatabase } from '../harness/database/testedDatabase.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type SpawnedService, spawnService } from '../harness/service/spawnService.ts'

const PASSWORD = 'canary password number one'
const NEW_PASSWORD = 'canary password number two'
const WRONG_PASSWORD = 'canary password of nobody'
const EMAIL = 'canary.owner@acme.io'
const IN_COOKIE = { 'x-svc-session': 'cookie' }
/** How an encrypted text begins, with the id of its key. */
const SEALED = /^v2\.[0-9a-f]{12}\./
const SECRETS_KEY = Buffer.alloc(32, 0xc7).toString('base64')

/** Every secret issued or used, by a name that describes it. */
type Secrets = Map<string, string>

describe('secrets, in a walk through every feature that has one', function () {
  this.timeout(240_000)
  const folder = createTemporaryFolder()
  const secrets: Secrets = new Map()
  /** All responses except those that show a secret this once. */
  const read: string[] = []
  let database: PostgresDatabase | undefined
  let service: SpawnedService
  let log = ''
  let stored = ''
  /** Columns with a value that is encrypted with SECRETS_KEY. */
  const sealedIn = new Set<string>()

  type Options = { body?: unknown; bearer?: string; headers?: Record<string, string>; shows?: boolean }

  async function call(method: string, path: string, { body, bearer, headers, shows }: Options = {}) {
    const answer = await fetch(service.baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!shows) read.push(JSON.stringify([...answer.headers]), text)
    const parsed = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
    return { status: answer.status, headers: answer.headers, body: parsed }
  }
  const keep = (name: string, secret: unknown): string => {
    expect(secret, name).to.be.a('string').with.length.at.least(8)
    secrets.set(name, String(secret))
    return String(secret)
  }

  before(async () => {
    database = testedDatabase === 'postgres' ? await createMigratedDatabase() : undefined
    const oidcSecret = keep('secret of the client at a provider', 'canary-client-secret-0123456789')
    keep('SECRETS_KEY', SECRETS_KEY)
    service = await spawnService({
      ...(database ? { DATABASE_URL: database.url } : {}),
      DATA_DIR: folder.path,
      REGISTRATION_FILES_DIR: join(folder.path, 'registration-files'),
      SECRETS_KEY,
      PORT: String(await findFreePort()),
      CHAIN_PORT: String(await findFreePort()),
      OIDC_GOOGLE_ISSUER: 'http://127.0.0.1:9',
      OIDC_GOOGLE_CLIENT_ID: 'client',
      OIDC_GOOGLE_CLIENT_SECRET: oidcSecret,
      AUDIT_BATCH_SECONDS: '1',
      LOG_LEVEL: 'trace',
    })
    const accessToken = await walkAccounts()
    await walkRegistry(accessToken)
    await walkMistakes(accessToken)
    await waitUntil(async () => ((await countQueuedMails()) === 0 ? true : null))
    stored = await readEveryRow()
    await service.end('SIGTERM')
    log = service.log()
  })
  after(async () => {
    await service?.end('SIGKILL')
    await database?.drop()
    folder.remove()
  })

  /** Registers, signs in by every method that has a secret, and ends with a session. */
  async function walkAccounts(): Promise<string> {
    keep('password', PASSWORD)
    keep('password of nobody', WRONG_PASSWORD)
    const person = { email: EMAIL, password: PASSWORD, fullName: 'A Person', accountType: 'business' }
    const { data } = (await call('POST', '/api/auth/register', { body: person, shows: true })).body
    const first = keepSession('first', data)
    const refreshToken = String(secrets.get('refresh token, first'))
    const refreshed = await call('POST', '/api/auth/refresh', { body: { refreshToken }, shows: true })
    const bearer = keepSession('refreshed', refreshed.body.data)
    const inCookie = { body: { refreshToken: refreshed.body.data.refreshToken }, headers: IN_COOKIE }
    const moved = await call('POST', '/api/auth/refresh', { ...inCookie, shows: true })
    keep('refresh token, in a cookie', moved.headers.getSetCookie()[0]?.match(/svc_rt_[\w-]+/)?.[0])
    const wrong = { email: EMAIL, password: WRONG_PASSWORD }
    expect((await call('POST', '/api/auth/login', { body: wrong })).status).to.equal(401)
    const enrolled = (await call('POST', '/api/auth/mfa/totp', { bearer, shows: true })).body
    const secret = keep('TOTP secret', enrolled.secret)
    for (const [i, code] of enrolled.recoveryCodes.entries()) keep(`recovery code ${i}`, code)
    const code = generateSync({ secret })
    expect((await call('POST', '/api/auth/mfa/totp/confirm', { bearer, body: { code } })).status).to.equal(
      200,
    )
    const body = { email: EMAIL, password: PASSWORD }
    const half = (await call('POST', '/api/auth/login', { body, shows: true })).body
    const interimToken = keep('interim token', half.interimToken ?? half.data.interimToken)
    const used = { interimToken, code: enrolled.recoveryCodes[0] }
    const finished = await call('POST', '/api/auth/mfa', { body: used, shows: true })
    keepSession('finished', finished.body.data)
    expect((await call('POST', '/api/auth/password/forgot', { body: { email: EMAIL } })).status).to.be.below(
      300,
    )
    keep('new password', NEW_PASSWORD)
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    await call('POST', '/api/auth/password/change', { bearer, body: change, shows: true })
    expect(first).to.not.equal(bearer)
    return bearer
  }

  function keepSession(name: string, data: { accessToken: string; refreshToken: string }): string {
    keep(`refresh token, ${name}`, data.refreshToken)
    return keep(`access token, ${name}`, data.accessToken)
  }

  /** Creates keys, webhooks, an agent with its token, and a decision. */
  async function walkRegistry(bearer: string): Promise<void> {
    const founded = await call('POST', '/api/organizations', { bearer, body: { name: 'Acme' } })
    const { organizationId } = founded.body
    const keyOf = async (body: object) =>
      (await call('POST', '/api/api-keys', { bearer, body, shows: true })).body.key
    keep('personal API key', await keyOf({ name: 'personal' }))
    const apiKey = keep('API key', await keyOf({ name: 'organisation', organizationId }))
    const counterpartyId = await registerEndpoint(service.baseUrl, apiKey)
    const webhook = `/api/endpoints/${counterpartyId}`
    await call('POST', `${webhook}/webhook`, { bearer, body: { url: 'http://127.0.0.1:9/hook' } })
    for (const turn of ['first', 'second']) {
      const rotated = await call('POST', `${webhook}/rotate-secret`, { bearer, shows: true })
      keep(`webhook secret, ${turn}`, rotated.body.webhookSecret)
    }
    await call('POST', `${webhook}/test-webhook`, { bearer })
    const account = privateKeyToAccount(keep('key of an agent', generatePrivateKey()) as `0x${string}`)
    const { svcId } = await registerAgent(service.baseUrl, {}, { account })
    const path = `/api/agents/${svcId}/token`
    const signed = await signHeaders(account, { method: 'POST', path, body: '' })
    const token = await call('POST', path, { headers: signed, shows: true })
    keep('agent token', token.body.agentToken)
    for (const body of [{ counterpartyId, agentId: svcId }, { counterpartyId }]) {
      expect((await call('POST', '/api/agents/verify-access', { bearer: apiKey, body })).status).to.equal(200)
    }
    for (const list of [
      '/api/api-keys',
      '/api/me',
      '/api/auth/sessions',
      webhook,
      '/api/activity',
      '/metrics',
    ]) {
      await call('GET', list, { bearer })
    }
  }

  /** Sends secrets where they do not belong. */
  async function walkMistakes(bearer: string): Promise<void> {
    const apiKey = String(secrets.get('API key'))
    const mistakes: [string, string, Options][] = [
      ['POST', '/api/auth/login', { body: `{"email":"${EMAIL}","password":"${NEW_PASSWORD}",}` }],
      ['POST', '/api/auth/login', { body: { email: EMAIL, password: [NEW_PASSWORD] } }],
      ['POST', '/api/auth/login', { body: { email: NEW_PASSWORD, password: NEW_PASSWORD } }],
      ['POST', '/api/auth/register', { body: { email: EMAIL, password: NEW_PASSWORD, accountType: 'odd' } }],
      ['POST', '/api/auth/refresh', { body: { refreshToken: `${secrets.get('refresh token, first')}` } }],
      [
        'POST',
        '/api/auth/mfa',
        { body: { interimToken: `${secrets.get('interim token')}`, code: '000000' } },
      ],
      // An error echoes the requested path to the caller.
      ['GET', `/api/${apiKey}`, { shows: true }],
      ['GET', `/api/agents?apiKey=${apiKey}`, {}],
      ['GET', '/api/me', { headers: { authorization: `Basic ${apiKey}` } }],
      ['GET', '/api/me', { bearer: `${bearer}x` }],
      [
        'POST',
        '/api/agents/verify-access',
        { bearer: apiKey, body: { counterpartyId: apiKey, agentId: apiKey } },
      ],
      ['GET', '/api/auth/oauth/google', { bearer }],
    ]
    for (const [method, path, options] of mistakes) await call(method, path, options)
  }

  const rows = <Row>(sql: string) =>
    queryDatabase<Row>({ databaseUrl: database?.url, databaseFile: join(folder.path, 'svc.sqlite') }, sql, [])

  async function countQueuedMails(): Promise<number> {
    const [row] = await rows<{ n: number }>("SELECT COUNT(*) AS n FROM mail_outbox WHERE status = 'queued'")
    return Number(row?.n)
  }

  async function readEveryRow(): Promise<string> {
    const names = database
      ? "SELECT table_schema || '.' || table_name AS name FROM information_schema.tables WHERE table_schema IN ('public', 'feed')"
      : "SELECT name FROM sqlite_master WHERE type = 'table'"
    const tables = await rows<{ name: string }>(names)
    expect(tables.length).to.be.greaterThan(30)
    const texts: string[] = []
    for (const { name } of tables) {
      for (const row of await rows<Record<string, unknown>>(`SELECT * FROM ${name}`)) {
        for (const [column, value] of Object.entries(row)) {
          const text = textOf(value)
          texts.push(text)
          if (SEALED.test(text)) sealedIn.add(`${name.replace('public.', '')}.${column}`)
        }
      }
    }
    return texts.join('\n')
  }

  const textOf = (value: unknown): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)

  /** Finds the secrets that a text contains, in plain, URL-encoded or base64 form. */
  const foundIn = (text: string): string[] =>
    [...secrets]
      .filter(([, secret]) =>
        [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')].some((form) =>
          text.includes(form),
        ),
      )
      .map(([name]) => name)

  it('of every kind occur in it', () => {
    expect(secrets.size).to.be.greaterThan(25)
    expect(log.split('\n').length, 'lines of the most verbose log').to.be.greaterThan(10)
    expect(stored).to.include(EMAIL)
  })

  it('appear in no log line, whatever fails', () => {
    expect(foundIn(log)).to.deep.equal([])
  })

  it('appear in no response but the one that shows them', () => {
    expect(foundIn(read.join('\n'))).to.deep.equal([])
  })

  it('appear in no row of any table', () => {
    expect(foundIn(stored)).to.deep.equal([])
  })

  it('are encrypted only in columns that the rotation of SECRETS_KEY knows', () => {
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
    expect([...sealedIn]).to.include.members(['totp_factors.sealed_secret', 'endpoints.webhook_secret'])
    expect(known).to.include.members([...sealedIn])
  })

  it('appear in no file of the data folder except those of keys and mails', () => {
    const files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/mail'))
      .map((entry) => join(entry.parentPath, entry.name))
    expect(files.length).to.be.greaterThan(3)
    for (const file of files) expect(foundIn(readFileSync(file, 'latin1')), file).to.deep.equal([])
    reportFaultFigure(
      `${secrets.size} secrets searched for in ${log.split('\n').length} log lines, ${read.length} responses, every table and ${files.length} files: 0 found`,
    )
  })

  it('that are mailed disappear from the database once the mail is sent', () => {
    const mails = readdirSync(join(folder.path, 'mail')).map((name) =>
      readFileSync(join(folder.path, 'mail', name), 'utf8')
        .replaceAll('=\r\n', '')
        .replaceAll('=\n', ''),
    )
    const tokens = mails.flatMap((mail) => /[\w-]{43}(?=\s|$|"|<)/.exec(mail)?.[0] ?? [])
    expect(tokens.length).to.be.greaterThan(0)
    for (const token of tokens) {
      expect(stored.includes(token), 'a row').to.equal(false)
      expect(log.includes(token), 'a line of the log').to.equal(false)
    }
  })
})
