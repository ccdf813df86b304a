import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { createAgentKey } from '../builders/createAgentKey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../builders/participants.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { createMigratedDatabase, type PostgresDatabase, testsPostgres } from '../harness/database/postgres.ts'
import { shuffleStatements } from '../harness/database/shuffleStatements.ts'
import { type ApiAnswer, api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

/** Orders of the statements that each guarantee is tried with, and the features of the database. */
const ORDERS = [
  ['full', [1, 2]],
  ['portable', [3]],
] as const

// biome-ignore lint/suspicious/noExplicitAny: as `api`
type Answer = ApiAnswer<any>

for (const [featureSet, seeds] of ORDERS) {
  describe(`use cases that run concurrently in two services over one PostgreSQL with ${featureSet} features`, () => {
    let database: PostgresDatabase
    let chain: LocalChain
    let services: StartedService[]
    let shop: Organisation

    before(async function () {
      if (!testsPostgres) this.skip()
      database = await createMigratedDatabase()
      chain = await takeChain()
      const settings = {
        DATABASE_URL: database.url,
        DATABASE_FEATURES: featureSet,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        RPC_URL: chain.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        CONFIRMATIONS: '1',
        PUBLIC_URL: 'http://localhost:1',
        REGISTRATION_RATE_PER_HOUR: '100000',
      }
      services = [
        await startService({ database: 'postgres', settings }),
        await startService({ database: 'postgres', settings }),
      ]
      shop = await createOrganisation(baseUrl(0))
    })
    after(async () => {
      await Promise.all(services?.map((service) => service.stop()) ?? [])
      await chain?.stop()
      await database?.drop()
    })

    const baseUrl = (nth: number): string => services[nth % 2]?.baseUrl ?? ''
    const rows = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
      (await services[0]?.rows<Row>(sql, ...values)) ?? []

    type Call = (nth: number) => Promise<Answer>
    const as =
      (bearer: string, method: string, path: string, body?: object): Call =>
      (nth) =>
        api(baseUrl(nth), method, path, { bearer, ...(body ? { body } : {}) })
    const signed =
      (account: PrivateKeyAccount, method: string, path: string, body?: object): Call =>
      async (nth) => {
        const text = body === undefined ? '' : JSON.stringify(body)
        const headers = await signHeaders(account, { method, path, body: text })
        return api(baseUrl(nth), method, path, { headers, ...(body ? { body } : {}) })
      }

    /** Sends the calls at once, alternately to both services, and holds every statement that follows. */
    async function runTogether(seed: number, calls: readonly Call[]): Promise<Answer[]> {
      const { result, choices } = await shuffleStatements(seed, () =>
        Promise.all(calls.map((call, nth) => call(nth))),
      )
      expect(choices, 'statements that met').to.be.above(3)
      return result
    }
    const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)
    /** An agent of a person, who changes it in a session. */
    async function openOwnAgent() {
      const { accessToken: bearer } = await createOrganisation(baseUrl(0))
      const { svcId } = await registerAgent(baseUrl(0))
      const { developerId } = (await as(bearer, 'GET', '/api/me')(0)).body.user
      await rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', developerId, svcId)
      return { svcId, bearer, path: `/api/agents/${svcId}` }
    }
    const newAccount = () => privateKeyToAccount(generatePrivateKey())

    for (const seed of seeds) {
      describe(`in order ${seed}`, () => {
        it('loses no change of an agent, and commits to the file of its last state', async () => {
          const { svcId, bearer, path } = await openOwnAgent()
          const changes = [
            { name: 'Renamed' },
            { description: 'Described' },
            { image: 'https://acme.io/a.png' },
          ]
          const answers = await runTogether(
            seed,
            [...changes, ...changes].map((change) => as(bearer, 'PATCH', path, change)),
          )
          expect(statusesOf(answers)).to.deep.equal(changes.concat(changes).map(() => 200))
          const [agent] = await rows<object>(
            'SELECT name, description, image FROM agents WHERE svc_id = ?',
            svcId,
          )
          expect(agent).to.deep.equal(Object.assign({}, ...changes))
          const [{ count } = { count: 0 }] = await rows<{ count: number }>(
            `SELECT count(*) AS count FROM audit_records WHERE agent_id = ? AND event_type = 'agent.updated'`,
            svcId,
          )
          expect(count, 'a repeated change is none').to.equal(changes.length)
        })

        it('gives a key to one owner only', async () => {
          const owners = [await registerAgent(baseUrl(0)), await registerAgent(baseUrl(1))]
          const { jwk } = createAgentKey()
          const answers = await runTogether(
            seed,
            [...owners, ...owners].map(({ svcId, account }) =>
              signed(account, 'POST', `/api/agents/${svcId}/keys`, { key: jwk }),
            ),
          )
          const holders = await rows<{ agent_id: string }>(
            `SELECT agent_id FROM agent_keys WHERE kid IN
            (SELECT kid FROM agent_keys WHERE agent_id IN (?, ?)) AND revoked_at IS NULL`,
            ...owners.map(({ svcId }) => svcId),
          )
          expect(holders).to.have.length(1)
          expect(answers.filter(({ body }) => body.code === 'KEY_TAKEN')).to.have.length(2)
        })

        it('gives a new signer one account for all its agents', async () => {
          const account = newAccount()
          const register = () =>
            signed(account, 'POST', '/api/agents/register', { name: `Shopper ${randomUUID()}` })
          const answers = await runTogether(seed, [register(), register(), register(), register()])
          expect(statusesOf(answers)).to.deep.equal([201, 201, 201, 201])
          const owners = await rows<{ owner_id: string }>(
            'SELECT DISTINCT owner_id FROM agents WHERE signer_address = ?',
            account.address.toLowerCase(),
          )
          expect(owners).to.have.length(1)
        })

        it('never exceeds the number of keys of an account', async () => {
          const person = await createOrganisation(baseUrl(0))
          const { user } = (await as(person.accessToken, 'GET', '/api/me')(0)).body
          await rows(
            `INSERT INTO api_keys (id, key_hash, last_four, name, user_id, created_at)
           SELECT ? || n, ? || n, 'last', 'n', ?, 1 FROM generate_series(1, 96) AS n`,
            user.id,
            user.id,
            user.id,
          )
          const create = (nth: number) =>
            as(person.accessToken, 'POST', '/api/api-keys', {
              name: 'another',
              ...(nth % 2 ? { organizationId: person.organizationId } : {}),
            })
          const answers = await runTogether(seed, [0, 1, 2, 3].map(create))
          expect(statusesOf(answers).sort()).to.deep.equal([201, 201, 409, 409])
        })

        it('adds the same entry to an allowlist once, and loses no change of the endpoint', async () => {
          const id = await registerEndpoint(baseUrl(0), shop.apiKey)
          const path = `/api/endpoints/${id}`
          const entry = { allowedOwnerIdentifier: 'SVCD-0000000000000000000000' }
          const calls = [
            as(shop.accessToken, 'POST', `${path}/allowlist`, entry),
            as(shop.accessToken, 'POST', `${path}/allowlist`, entry),
            as(shop.accessToken, 'PUT', path, { name: 'Renamed' }),
            as(shop.accessToken, 'PUT', path, { trustScoreRequirement: 30 }),
          ]
          await runTogether(seed, calls)
          const [endpoint] = await rows<object>(
            'SELECT name, trust_score_requirement FROM endpoints WHERE svce_id = ?',
            id,
          )
          expect(endpoint).to.deep.equal({ name: 'Renamed', trust_score_requirement: 30 })
          const entries = await rows<object>(
            'SELECT a.id FROM allowlist_entries AS a JOIN endpoints AS e ON e.id = a.endpoint_id WHERE svce_id = ?',
            id,
          )
          expect(entries).to.have.length(1)
        })

        it('leaves an organisation an owner if its owners give up their role together', async () => {
          const [one, other] = [await createOrganisation(baseUrl(0)), await createOrganisation(baseUrl(1))]
          const { organizationId } = one
          const ids = await Promise.all(
            [one, other].map(async ({ accessToken }) => {
              return (await as(accessToken, 'GET', '/api/me')(0)).body.user.id as string
            }),
          )
          await rows(
            `INSERT INTO memberships (organization_id, user_id, role, status, created_at) VALUES (?, ?, 'owner', 'active', 1)`,
            organizationId,
            ids[1],
          )
          const path = (nth: number) => `/api/organizations/${organizationId}/members/${ids[nth]}`
          const answers = await runTogether(seed, [
            as(one.accessToken, 'DELETE', path(0)),
            as(other.accessToken, 'PATCH', path(1), { role: 'member' }),
          ])
          const owners = await rows<object>(
            `SELECT user_id FROM memberships WHERE organization_id = ? AND role = 'owner' AND status = 'active'`,
            organizationId,
          )
          expect(owners, JSON.stringify(statusesOf(answers))).to.have.length(1)
        })

        it('answers a repeated use of a refresh token with the same successor', async () => {
          const email = `person.${randomUUID()}@acme.io`
          const body = { email, password: 'correct horse battery', fullName: 'A', accountType: 'individual' }
          const { refreshToken } = (await api(baseUrl(0), 'POST', '/api/auth/register', { body })).body.data
          const refresh: Call = (nth) =>
            api(baseUrl(nth), 'POST', '/api/auth/refresh', { body: { refreshToken } })
          const answers = await runTogether(seed, [refresh, refresh, refresh])
          expect(statusesOf(answers)).to.deep.equal([200, 200, 200])
          expect(new Set(answers.map((answer) => answer.body.data.refreshToken)).size).to.equal(1)
        })

        it('counts every attempt to guess a password', async () => {
          const email = `person.${randomUUID()}@acme.io`
          const attempt: Call = (nth) =>
            api(baseUrl(nth), 'POST', '/api/auth/login', { body: { email, password: 'a wrong password' } })
          const answers = await runTogether(
            seed,
            Array.from({ length: 13 }, () => attempt),
          )
          expect(answers.filter(({ status }) => status === 401)).to.have.length(10)
        })

        it('changes no agent after its retirement, which runs alone', async () => {
          const { svcId, bearer, path } = await openOwnAgent()
          const change = (name: string) => as(bearer, 'PATCH', path, { name })
          await runTogether(seed, [
            change('one'),
            as(bearer, 'POST', `${path}/retire`),
            change('two'),
            change('three'),
          ])
          const events = await rows<{ event_type: string }>(
            'SELECT event_type FROM audit_records WHERE agent_id = ? ORDER BY seq',
            svcId,
          )
          expect(events.map(({ event_type }) => event_type).at(-1)).to.equal('agent.retired')
        })
      })
    }
  })
}
