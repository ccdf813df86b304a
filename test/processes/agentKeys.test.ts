import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../builders/buildSiweBody.ts'
import { createAgentKey } from '../builders/createAgentKey.ts'
import { enrolPasskey } from '../builders/enrolPasskey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../builders/participants.ts'
import { signAsAgent } from '../builders/signAsAgent.ts'
import { signByAccount } from '../builders/signByAccount.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

const URL = 'https://keys.acme.io/api'

describe('the keys of an agent in two processes over one PostgreSQL', () => {
  let two: TwoProcesses
  let shop: Organisation
  let counterpartyId: string

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses()
    shop = await createOrganisation(baseUrl(0))
    counterpartyId = await registerEndpoint(baseUrl(0), shop.apiKey, { counterpartyUrl: URL })
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth] ?? ''

  it('are added and revoked by one, and decide in both, in the changing one with the response', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { svcId } = await registerAgent(baseUrl(0), {}, { account })
    const key = createAgentKey()
    const change = async (nth: number, method: string, path: string, body?: object) => {
      const sent = body === undefined ? {} : { body }
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = await signHeaders(account, { method, path, body: text })
      const { status } = await api(baseUrl(nth), method, path, { headers, ...sent })
      expect(status).to.be.below(300)
    }
    const decide = async (nth: number, callerMetadata?: object) => {
      const body = { agentId: svcId, counterpartyId, ...(callerMetadata ? { callerMetadata } : {}) }
      const answer = await api(baseUrl(nth), 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        body,
      })
      const { recommendation, identityProof } = answer.body
      return [recommendation, identityProof]
    }
    const sign = () => signAsAgent(key, { svcId, url: URL, created: Math.floor(Date.now() / 1000) })
    const arrives = (expected: string, nth: number, isSigned: boolean) =>
      waitUntil(async () =>
        (await decide(nth, isSigned ? sign() : undefined))[0] === expected ? true : null,
      )

    expect([await decide(0), await decide(1)]).to.deep.equal([
      ['grant', 'none'],
      ['grant', 'none'],
    ])
    await change(0, 'POST', `/api/agents/${svcId}/keys`, { key: key.jwk })
    expect(await decide(0)).to.deep.equal(['deny', 'none'])
    expect(await decide(0, sign())).to.deep.equal(['grant', 'signature'])
    await arrives('deny', 1, false)
    expect(await decide(1, sign())).to.deep.equal(['grant', 'signature'])
    await change(1, 'DELETE', `/api/agents/${svcId}/keys/${key.kid}`)
    expect(await decide(1, sign())).to.deep.equal(['deny', 'none'])
    expect(await decide(0, sign())).to.deep.equal(['deny', 'none'])
  })

  it('require signatures of its sub-agents, too, and so do its settings, in both', async () => {
    const account = newAccount()
    const pdlss = { selfInstantiation: { allowed: true } }
    const { svcId: root } = await registerAgent(baseUrl(0), { pdlss }, { account })
    const { svcId: parent } = await registerAgent(baseUrl(1), { pdlss, parentAgentId: root }, { account })
    const { svcId } = await registerAgent(baseUrl(0), { parentAgentId: parent }, { account })
    const decide = async (nth: number) => {
      const sent = { bearer: shop.apiKey, body: { agentId: svcId, counterpartyId } }
      return (await api(baseUrl(nth), 'POST', '/api/agents/verify-access', sent)).body.recommendation
    }
    const becomes = (expected: string, nth: number) =>
      waitUntil(async () => ((await decide(nth)) === expected ? true : null))
    const require = (id: string, proof: string) =>
      two.rows('UPDATE agents SET min_identity_proof = ? WHERE svc_id = ?', proof, id)

    expect([await decide(0), await decide(1)]).to.deep.equal(['grant', 'grant'])
    const body = { key: createAgentKey().jwk }
    const path = `/api/agents/${root}/keys`
    const headers = await signHeaders(account, { method: 'POST', path, body: JSON.stringify(body) })
    expect((await api(baseUrl(0), 'POST', path, { headers, body })).status).to.equal(201)
    expect(await decide(0)).to.equal('deny')
    await becomes('deny', 1)
    for (const [id, proof, expected] of [
      [root, 'none', 'grant'],
      [parent, 'token', 'deny'],
      [parent, 'none', 'grant'],
      [root, 'challenge', 'deny'],
    ] as const) {
      await require(id, proof)
      for (const nth of [0, 1]) await becomes(expected, nth)
    }
  })

  it('include the wallets of its owner, and an unlinked one is refused by both', async () => {
    const [first, second] = [newAccount(), newAccount()]
    const { svcId } = await registerAgent(baseUrl(0), {}, { account: first })
    const siwe = async (nth: number, account: typeof first, bearer?: string) => {
      const body = await buildSiweBody(baseUrl(nth), account)
      const answer = await api(baseUrl(nth), 'POST', '/api/auth/siwe', { body, ...(bearer && { bearer }) })
      expect(answer.status).to.equal(200)
      return answer.body.data?.accessToken as string
    }
    const decide = async (nth: number, account: typeof first) => {
      const callerMetadata = await signByAccount(account, { svcId, url: URL, now: Date.now() })
      const body = { agentId: svcId, counterpartyId, callerMetadata }
      const sent = { bearer: shop.apiKey, body }
      return (await api(baseUrl(nth), 'POST', '/api/agents/verify-access', sent)).body.recommendation
    }
    const obtainToken = async (account: typeof first) => {
      const path = `/api/agents/${svcId}/token`
      const sent = { audience: counterpartyId }
      const headers = await signHeaders(account, { method: 'POST', path, body: JSON.stringify(sent) })
      return (await api(baseUrl(0), 'POST', path, { headers, body: sent })).body.agentToken as string
    }
    const present = async (nth: number, agentToken: string) => {
      const sent = { bearer: shop.apiKey, body: { agentId: svcId, counterpartyId, agentToken } }
      return (await api(baseUrl(nth), 'POST', '/api/agents/verify-access', sent)).body.recommendation
    }
    const becomes = (expected: string, nth: number, account: typeof first) =>
      waitUntil(async () => ((await decide(nth, account)) === expected ? true : null))

    expect([await decide(0, first), await decide(1, first), await decide(1, second)]).to.deep.equal([
      ...['grant', 'grant', 'deny'],
    ])
    const bearer = await siwe(0, first)
    await siwe(0, second, bearer)
    expect(await decide(0, second)).to.equal('grant')
    await becomes('grant', 1, second)
    const token = await obtainToken(first)
    expect([await present(0, token), await present(1, token)]).to.deep.equal(['grant', 'grant'])
    await api(baseUrl(1), 'DELETE', `/api/auth/wallets/${first.address}`, { bearer })
    expect([await present(0, token), await decide(0, first)]).to.deep.equal(['deny', 'deny'])
    expect([await present(1, token), await decide(1, first)]).to.deep.equal(['deny', 'deny'])
    expect([await decide(0, second), await decide(1, second)]).to.deep.equal(['grant', 'grant'])
  })

  it('exclude in both what was revoked for an organisation, until somebody links it who may add keys', async () => {
    const [first, second, other] = [newAccount(), newAccount(), newAccount()]
    const { svcId } = await registerAgent(baseUrl(0), {}, { account: second })
    const siwe = async (nth: number, account: typeof first, bearer?: string, headers = {}) => {
      // Messages name the one public address of both.
      const body = await buildSiweBody(baseUrl(0), account)
      const sent = { body, headers, ...(bearer && { bearer }) }
      const answer = await api(baseUrl(nth), 'POST', '/api/auth/siwe', sent)
      expect(answer.status).to.equal(200)
      return answer.body.data?.accessToken as string
    }
    const unlink = async (nth: number, bearer: string) => {
      const path = `/api/auth/wallets/${second.address}`
      expect((await api(baseUrl(nth), 'DELETE', path, { bearer })).status).to.equal(200)
    }
    const userOf = async ({ address }: typeof first) => {
      const sql = 'SELECT user_id FROM wallets WHERE address = ?'
      return String((await two.rows<{ user_id: string }>(sql, address.toLowerCase()))[0]?.user_id)
    }
    const decide = async (nth: number) => {
      const callerMetadata = await signByAccount(second, { svcId, url: URL, now: Date.now() })
      const body = { agentId: svcId, counterpartyId, callerMetadata }
      const sent = { bearer: shop.apiKey, body }
      return (await api(baseUrl(nth), 'POST', '/api/agents/verify-access', sent)).body.recommendation
    }
    const becomes = (expected: string, nth: number) =>
      waitUntil(async () => ((await decide(nth)) === expected ? true : null))

    const [creator, admin] = [await siwe(0, first), await siwe(1, other)]
    const passkey = await enrolPasskey(baseUrl(0), admin)
    const [creatorId, adminId] = [await userOf(first), await userOf(other)]
    await siwe(0, second, creator)
    const id = 'SVCO-0000000000000000000147'
    await two.rows(
      'INSERT INTO organizations (id, name, created_by, created_at) VALUES (?, ?, ?, 1)',
      id,
      id,
      creatorId,
    )
    for (const userId of [creatorId, adminId]) {
      await two.rows(
        `INSERT INTO memberships (organization_id, user_id, role, status, created_at) VALUES (?, ?, 'admin', 'active', 1)`,
        ...[id, userId],
      )
    }
    await two.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', id, svcId)
    for (const nth of [0, 1]) await becomes('grant', nth)
    await unlink(0, creator)
    expect([await decide(0), await decide(1)]).to.deep.equal(['deny', 'deny'])

    await two.rows(`UPDATE memberships SET role = 'viewer' WHERE user_id = ?`, creatorId)
    await siwe(1, second, creator)
    expect([await decide(1), await decide(0)]).to.deep.equal(['deny', 'deny'])
    await unlink(1, creator)
    await siwe(1, second, admin, { 'x-svc-elevation': await passkey.elevation() })
    expect(await decide(1)).to.equal('grant')
    await becomes('grant', 0)
  })
})

const newAccount = () => privateKeyToAccount(generatePrivateKey())
