import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { linkWallet } from '../../scripts/demo/linkWallet.ts'
import { createAgentProver } from '../builders/createAgentProver.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { listen } from '../harness/peers/listen.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { runScript } from '../harness/service/runScript.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { openSvc, type SvcRun } from './openSvc.ts'

const EMAIL = 'person@people.io'
const PASSWORD = 'correct horse battery'
const BOUNDARY = {
  purpose: { categories: ['shopping'] },
  limits: { autonomousThreshold: 100, approvalThreshold: 300, currency: 'EUR' },
}

describe('svc', function () {
  this.timeout(120_000)
  let service: StartedService
  let svc: ReturnType<typeof openSvc>
  let apiKey: string
  let svceId: string
  let svcId: string
  let prove: ReturnType<typeof createAgentProver>['prove']

  before(async () => {
    service = await startService()
    const organisation = await createOrganisation(service.baseUrl)
    apiKey = organisation.apiKey
    svceId = await registerEndpoint(service.baseUrl, apiKey, { name: 'Orders' })
    const signedUp = await api(service.baseUrl, 'POST', '/api/auth/register', {
      body: { email: EMAIL, password: PASSWORD, fullName: 'A Person', accountType: 'individual' },
    })
    const wallet = privateKeyToAccount(generatePrivateKey())
    await linkWallet(service.baseUrl, signedUp.body.data.accessToken, wallet)
    const agent = await registerAgent(
      service.baseUrl,
      { name: 'Buyer', pdlss: BOUNDARY },
      { account: wallet },
    )
    svcId = agent.svcId
    const prover = createAgentProver(service.baseUrl, Date.now)
    prover.add(svcId, wallet)
    prove = prover.prove
  })
  after(() => service?.stop())
  beforeEach(() => {
    svc = openSvc()
  })
  afterEach(() => svc.remove())

  const loginByKey = (key = apiKey) => svc.run(['login', '--url', service.baseUrl, '--key'], key)
  const loginByPassword = (password = PASSWORD) =>
    svc.run(['login', '--url', service.baseUrl, '--email', EMAIL], password)
  const json = ({ out }: SvcRun) => JSON.parse(out)
  const errorOf = ({ err }: SvcRun) => JSON.parse(err).error

  /** Writes the agent's proof, as a gateway would pass it on. */
  async function writeRequest(): Promise<string> {
    const file = join(svc.folder, 'request.json')
    writeFileSync(file, JSON.stringify(await prove({ agentId: svcId, counterpartyId: svceId })))
    return file
  }
  const verify = async (...args: string[]) =>
    svc.run(['verify', svcId, '--endpoint', svceId, '--request', await writeRequest(), ...args])

  describe('login', () => {
    it('stores an accepted key in a file for its owner only, and prints no part of it', async () => {
      const run = await loginByKey()
      expect(run, run.err).to.include({ code: 0 })
      expect(run.out).to.equal(`Signed in to ${service.baseUrl}/api with an API key.\n`)
      expect(run.out + run.err).to.not.include(apiKey.slice(-8))
      expect(statSync(svc.credentialsFile).mode & 0o777).to.equal(0o600)
      expect(statSync(join(svc.credentialsFile, '..')).mode & 0o777).to.equal(0o700)
      expect(JSON.parse(readFileSync(svc.credentialsFile, 'utf8')).apiKey).to.equal(apiKey)
    })

    it('reads the key from standard input as a process, too', async () => {
      const run = await svc.start(['login', '--url', service.baseUrl, '--key'], `${apiKey}\n`).ended()
      expect(run, run.err).to.include({ code: 0, err: '' })
      expect(run.out).to.not.include(apiKey.slice(-8))
      expect(statSync(svc.credentialsFile).mode & 0o777).to.equal(0o600)
    })

    it('asks for the code of a second factor', async () => {
      const person = { email: 'second@people.io', password: PASSWORD }
      const post = (path: string, body: object, bearer?: string) =>
        api(service.baseUrl, 'POST', path, { body, ...(bearer === undefined ? {} : { bearer }) })
      const signedUp = await post('/api/auth/register', {
        ...{ ...person, fullName: 'A Person', accountType: 'individual' },
      })
      const bearer = signedUp.body.data.accessToken
      const { secret } = (await post('/api/auth/mfa/totp', {}, bearer)).body
      const code = (steps: number) =>
        generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
      await post('/api/auth/mfa/totp/confirm', { code: code(0) }, bearer)
      const words = ['login', '--url', service.baseUrl, '--email', person.email]
      // The code that confirmed the app cannot be used again.
      const run = await svc.run(words, PASSWORD, code(1))
      expect(run, run.err).to.include({ code: 0 })
      expect((await svc.run(['agents'])).out).to.equal('No agents.\n')
      expect((await svc.run(words, PASSWORD, '000000')).code).to.equal(4)
    })

    it('stores a session next to the key, but not the password', async () => {
      await loginByKey()
      const run = await svc.run(['login', '--email', EMAIL, '--json'], PASSWORD)
      expect(json(run)).to.deep.equal({ url: `${service.baseUrl}/api`, kind: 'session', account: EMAIL })
      const stored = readFileSync(svc.credentialsFile, 'utf8')
      expect(Object.keys(JSON.parse(stored)).sort()).to.deep.equal(['apiBaseUrl', 'apiKey', 'session'])
      expect(stored).to.not.include(PASSWORD)
    })

    it('stores nothing for a wrong key or password, and exits with 4', async () => {
      const byKey = await loginByKey('svc_live_wrong')
      expect(byKey.code).to.equal(4)
      expect(byKey.err).to.include('does not accept these credentials').and.not.include('svc_live_wrong')
      expect((await loginByPassword('wrong horse battery')).code).to.equal(4)
      expect(existsSync(svc.credentialsFile)).to.equal(false)
    })

    it('never sends a stored credential to another service', async () => {
      await loginByKey()
      const other = await listen((_, res) => res.end('{"success":true,"items":[],"nextCursor":null}'))
      try {
        await svc.run(['login', '--url', other.url, '--key'], 'another')
        const stored = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
        expect(stored).to.deep.equal({ apiBaseUrl: `${other.url}/api`, apiKey: 'another' })
      } finally {
        await other.stop()
      }
    })

    it('stores nothing if another server responds', async () => {
      const other = await listen((_, res) => res.end('{"success":true}'))
      try {
        for (const kind of [['--key'], ['--email', EMAIL]]) {
          const run = await svc.run(['login', '--url', other.url, ...kind, '--json'], 'secret')
          expect(run.code).to.equal(2)
          expect(errorOf(run).code).to.equal('INVALID_RESPONSE')
        }
        expect(existsSync(svc.credentialsFile)).to.equal(false)
      } finally {
        await other.stop()
      }
    })

    it('refuses an unencrypted connection to another machine', async () => {
      const run = await svc.run(['login', '--url', 'http://svc.example', '--key'], 'k')
      expect(run.code).to.equal(2)
      expect(run.err).to.include('--insecure')
    })

    it('refuses a file that others may read', async () => {
      await loginByKey()
      chmodSync(svc.credentialsFile, 0o644)
      const run = await svc.run(['events'])
      expect(run.code).to.equal(2)
      expect(run.err).to.include(`chmod 600 ${svc.credentialsFile}`)
    })
  })

  describe('logout', () => {
    it('ends the session and removes the credentials', async () => {
      await loginByPassword()
      const { session } = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
      expect(json(await svc.run(['logout', '--json']))).to.deep.equal({ wasSignedIn: true })
      expect(existsSync(svc.credentialsFile)).to.equal(false)
      const { refreshToken } = session
      const renewed = await api(service.baseUrl, 'POST', '/api/auth/refresh', { body: { refreshToken } })
      expect(renewed.status).to.equal(401)
    })
  })

  describe('verify', () => {
    beforeEach(loginByKey)

    it('exits with 0 and names the record of a granted request', async () => {
      const run = await verify('--purpose', 'shopping:buy', '--value', '10', '--currency', 'EUR')
      expect(run, run.out + run.err).to.include({ code: 0 })
      expect(run.out).to.match(/^grant: access level \w+\n {2}record \S+\n$/)
    })

    it('exits with 1 and names the dimensions of a denied request', async () => {
      const run = await verify('--purpose', 'gambling:bet')
      expect(run.code).to.equal(1)
      expect(run.out)
        .to.match(/^deny: access level none\n/)
        .and.match(/ {2}pdlss\.purpose: /)
    })

    it('exits with 3 and says where to approve a request that the owner has to approve', async () => {
      const run = await verify('--purpose', 'shopping:buy', '--value', '150', '--currency', 'EUR')
      expect(run.code).to.equal(3)
      expect(run.out).to.include('step_up_required').and.include(`approve at http`)
    })

    it('prints what the service warns of, such as a misspelt member of the request file', async () => {
      const file = join(svc.folder, 'misspelt.json')
      writeFileSync(file, JSON.stringify({ agentID: svcId }))
      const run = await svc.run(['verify', '--endpoint', svceId, '--request', file])
      expect([run.code, run.err]).to.deep.equal([1, ''])
      expect(run.out).to.match(/ {2}warning: The member agentID was ignored/)
    })

    it('prints the response of the service with --json', async () => {
      const run = await svc.run(['verify', '--endpoint', svceId, '--purpose', 'read_data:list', '--json'])
      expect(json(run)).to.include({ success: true, recommendation: 'deny' })
    })

    it('exits with 2 without an endpoint, for a bad value, and for a request file that is not JSON', async () => {
      const file = join(svc.folder, 'bad.json')
      writeFileSync(file, '[1]')
      for (const [args, message] of [
        [['verify', svcId], 'Name the endpoint'],
        [['verify', svcId, '--endpoint', svceId, '--value', '1e3'], '--value must be a number'],
        [['verify', svcId, '--endpoint', svceId, '--request', file], 'must contain a JSON object'],
        [['verify', svcId, '--endpoint', svceId, '--request', 'missing.json'], 'cannot be read'],
        [['verify', svcId, 'more'], 'Unexpected argument "more"'],
        [['verify', svcId, '--value', '1', '--value', '2'], 'The option --value is there twice.'],
        [['verify', svcId, '--value', '-5'], 'argument is ambiguous. Did you forget'],
      ] as const) {
        const run = await svc.run(args)
        expect(run.code).to.equal(2)
        expect(run.err).to.include(message)
      }
    })

    it('says once what is wrong with each field', async () => {
      const file = join(svc.folder, 'wrong.json')
      writeFileSync(file, '{"purpose":5,"resource":5}')
      const run = await svc.run(['verify', svcId, '--endpoint', svceId, '--request', file])
      expect(run.code).to.equal(2)
      expect(run.err.match(/\/(purpose|resource): /g)).to.have.members(['/purpose: ', '/resource: '])
    })

    it('exits with 4 if the endpoint belongs to another account', async () => {
      const other = await createOrganisation(service.baseUrl)
      await loginByKey(other.apiKey)
      const run = await svc.run(['verify', svcId, '--endpoint', svceId, '--json'])
      expect(run.code).to.equal(4)
      expect(errorOf(run).code).to.equal('COUNTERPARTY_KEY_MISMATCH')
    })
  })

  describe('agents and endpoints', () => {
    beforeEach(loginByPassword)

    it('lists the agents of the account', async () => {
      const { code, out } = await svc.run(['agents'])
      expect(code).to.equal(0)
      const [head, row, ...rest] = out.trimEnd().split('\n')
      expect(head).to.match(/^id +status +trust +chain +name$/)
      expect(row).to.match(new RegExp(`^${svcId} +active +\\d+ +\\w+ +Buyer$`))
      expect(rest).to.deep.equal([])
      const [agent] = json(await svc.run(['agents', '--json', '--search', 'Buy']))
      expect(agent).to.include({ svcId, name: 'Buyer' })
      expect(json(await svc.run(['agents', '--json', '--search', 'nothing']))).to.deep.equal([])
    })

    it('lists the endpoints of the account', async () => {
      expect((await svc.run(['endpoints'])).out).to.equal('No endpoints.\n')
      expect(json(await svc.run(['endpoints', '--json']))).to.deep.equal([])
    })

    it('renews an expired session and stores its successor', async () => {
      const stored = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
      const expired = { ...stored, session: { ...stored.session, accessToken: 'expired', expiresAt: 0 } }
      writeFileSync(svc.credentialsFile, JSON.stringify(expired))
      expect((await svc.run(['agents'])).code).to.equal(0)
      const { session } = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
      expect(session.expiresAt).to.be.greaterThan(Date.now())
      expect(session.refreshToken).to.not.equal(stored.session.refreshToken)
      expect(statSync(svc.credentialsFile).mode & 0o777).to.equal(0o600)
    })

    it('reads as many pages as the limit needs', async () => {
      const pages: string[] = []
      const other = await listen((req, res) => {
        pages.push(req.url ?? '')
        const items = Array.from({ length: 100 }, (_, nth) => ({ svcId: `SVC-${nth}` }))
        const answers = { items, nextCursor: 'next', success: true }
        res.end(JSON.stringify(req.method === 'POST' ? SESSION : answers))
      })
      try {
        await svc.run(['login', '--url', other.url, '--email', EMAIL], 'p')
        pages.length = 0
        const listed = json(await svc.run(['agents', '--limit', '150', '--json']))
        expect(listed.length).to.be.at.least(150)
        expect(pages).to.deep.equal(['/api/agents?limit=100', '/api/agents?limit=50&cursor=next'])
      } finally {
        await other.stop()
      }
    })

    it('need a session, not a key', async () => {
      await svc.run(['logout'])
      await loginByKey()
      for (const name of ['agents', 'endpoints']) {
        const run = await svc.run([name])
        expect(run.code).to.equal(4)
        expect(run.err).to.include('This command needs a session: run "svc login --email ADDRESS"')
      }
    })
  })

  it('ends quietly if nobody reads its output further', () => {
    const { stderr } = spawnSync('sh', ['-c', `"${process.execPath}" cli/svc.ts help | true`], {
      encoding: 'utf8',
    })
    expect(stderr).to.equal('')
  })

  describe('events', () => {
    beforeEach(loginByKey)

    it('shows past events, oldest first, and those of a filter', async () => {
      const shown = (await svc.run(['events', '--limit', '100'])).out.trimEnd().split('\n')
      expect(shown.length).to.be.greaterThan(1)
      const times = shown.map((line) => line.split(' ')[0])
      expect(times.toSorted()).to.deep.equal(times)
      const filtered = await svc.run(['events', '--json', '--type', 'endpoint.registered'])
      const types = filtered.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).eventType)
      expect(new Set(types)).to.deep.equal(new Set(['endpoint.registered']))
    })

    it('follows events until Ctrl+C, and exits with 0', async () => {
      const following = svc.start(['events', '--follow', '--json'])
      const seen = () => following.written.out.trimEnd().split('\n').filter(Boolean)
      await waitUntil(async () => {
        await svc.run(['verify', '--endpoint', svceId, '--purpose', 'read_data:list'])
        return seen().length > 0 ? true : null
      })
      const [event = '{}'] = seen()
      expect(JSON.parse(event)).to.include.keys('eventType', 'occurredAt', 'eventData')
      expect((await following.stop()).code).to.equal(0)
    })

    it('continues after the last event of a lost connection', async () => {
      const asked: (string | undefined)[] = []
      const event = { occurredAt: 'now', eventType: 'a', agentId: null, endpointId: null, eventData: {} }
      const other = await listen((req, res) => {
        if (!req.url?.startsWith('/api/activity/stream')) return res.end('{"items":[],"nextCursor":null}')
        asked.push(req.headers['last-event-id'] as string | undefined)
        return res.end(`id: ${asked.length}\nevent: a\ndata: ${JSON.stringify(event)}\n\n`)
      })
      try {
        await svc.run(['login', '--url', other.url, '--key'], 'k')
        const following = svc.start(['events', '--follow'])
        await waitUntil(async () => (asked.length >= 2 ? true : null))
        await following.stop()
        expect(asked.slice(0, 2)).to.deep.equal([undefined, '1'])
      } finally {
        await other.stop()
      }
    })

    it('exits with 4 if the key has been revoked', async () => {
      const stored = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
      writeFileSync(svc.credentialsFile, JSON.stringify({ ...stored, apiKey: 'svc_live_revoked' }))
      for (const args of [['events'], ['events', '--follow']]) expect((await svc.run(args)).code).to.equal(4)
    })

    it('exits with 5 if the service is unreachable', async () => {
      const gone = await listen((_, res) => res.end('{"items":[],"nextCursor":null}'))
      await svc.run(['login', '--url', gone.url, '--key'], 'k')
      await gone.stop()
      for (const args of [['events'], ['events', '--follow']]) {
        const run = await svc.run([...args, '--json'])
        expect(run.code).to.equal(5)
        expect(errorOf(run).code).to.equal('NETWORK_ERROR')
      }
    })
  })

  describe('audit verify', () => {
    it('shows the head of the log on chain, without an account, as npm run verify-audit does', async () => {
      const { body: chain } = await api(service.baseUrl, 'GET', '/api/chain')
      const words = ['--rpc', service.rpcUrl, '--log', chain.logId, '--contract', chain.contracts.auditLog]
      const text = await svc.run(['audit', 'verify', ...words])
      expect(text, text.err).to.include({ code: 0 })
      expect(text.out).to.include(chain.logId)
      expect(json(await svc.run(['audit', 'verify', ...words, '--json']))).to.include({ outcome: 'proven' })
    })

    it('exits with 2 for wrong arguments, and names itself in its usage', async () => {
      const run = await svc.run(['audit', 'verify', '--log', 'x'])
      expect(run.code).to.equal(2)
      expect(run.err).to.include('svc audit verify --rpc URL')
    })
  })

  describe('audit monitor', () => {
    it('looks at a log and the records of its caller once, as npm run monitor does', async () => {
      await waitUntil(async () => (await fetch(`${service.baseUrl}/api/audit/checkpoint`)).ok || null)
      const { body: chain } = await api(service.baseUrl, 'GET', '/api/chain')
      const onChain = ['--rpc', service.rpcUrl, '--contract', chain.contracts.auditLog]
      const words = ['--service', service.baseUrl, '--once', ...onChain]
      await loginByKey()
      const state = join(svc.folder, 'state.json')
      const run = await svc.run(['audit', 'monitor', ...words, '--state', state, '--agents', svcId])
      expect(run, run.err + run.out).to.include({ code: 0, out: '' })
      const { logs } = JSON.parse(readFileSync(state, 'utf8'))
      expect(logs[chain.logId].head.size).to.be.above(0)
      const script = await runScript('monitor.ts', words)
      expect(script, script.stderr).to.include({ code: 0, stdout: '' })
    })

    it('exits with 2 for wrong arguments', async () => {
      for (const words of [[], ['--service', service.baseUrl, '--cosignatures', '1'], ['--service', 'x']]) {
        expect(await svc.run(['audit', 'monitor', ...words])).to.include({ code: 2, out: '' })
      }
    })
  })

  describe('policy lint', () => {
    it('exits with 0, 1 under --strict and 2, and has findings as JSON', async () => {
      const odd = join(svc.folder, 'odd.yaml')
      writeFileSync(odd, 'version: 1\npdlss:\n  limits:\n    autonomousThreshold: 5\n')
      const bad = join(svc.folder, 'bad.yaml')
      writeFileSync(bad, 'version: 1\npdlss:\n  purpose:\n    alowedActions: [read]\n')
      expect((await svc.run(['policy', 'lint', odd])).code).to.equal(0)
      expect((await svc.run(['policy', 'lint', odd, '--strict'])).code).to.equal(1)
      const run = await svc.run(['policy', 'lint', bad, '--json'])
      expect(run.code).to.equal(2)
      const [{ file, findings }] = json(run)
      expect(file).to.equal(bad)
      expect(findings[0]).to.include({ severity: 'error', line: 4 })
    })
  })

  it('names the way to sign in if nobody is signed in, and exits with 4', async () => {
    for (const args of [['verify', '--endpoint', 'x'], ['agents'], ['endpoints'], ['events']]) {
      const run = await svc.run(args)
      expect(run.code).to.equal(4)
      expect(run.err).to.equal('You are not signed in: run "svc login --url URL".\n')
      expect(errorOf(await svc.run([...args, '--json'])).code).to.equal('NOT_SIGNED_IN')
    }
  })

  it('describes every command with --help', async () => {
    const list = (await svc.run(['--help'])).out
    for (const words of [
      ...[['login'], ['logout'], ['verify'], ['agents'], ['endpoints'], ['events']],
      ...[
        ['audit', 'verify'],
        ['policy', 'lint'],
      ],
    ]) {
      const { code, out } = await svc.run([...words, '--help'])
      expect(code).to.equal(0)
      expect(out).to.include('--json')
      expect(list).to.include(words[0])
    }
  })

  it('exits with 2 for an unknown command or option, and without one', async () => {
    expect(await svc.run(['verfy'])).to.include({
      code: 2,
      err: 'Unknown command "verfy".\nTry "svc --help".\n',
    })
    expect((await svc.run(['agents', '--colour'])).code).to.equal(2)
    expect((await svc.run(['agents', '--limit', '0'])).err).to.include('--limit must be from 1 to 10000')
    expect((await svc.run([])).code).to.equal(2)
  })
})

const SESSION = { data: { accessToken: 'a', refreshToken: 'r', expiresIn: 900 } }
