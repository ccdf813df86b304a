import { expect } from 'chai'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { OPERATOR_SETTINGS, signInOperator } from '../builders/signInOperator.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

describe('what an operator does in one of two processes over one PostgreSQL', () => {
  let two: TwoProcesses
  let order: (path: string) => Promise<void>

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses(OPERATOR_SETTINGS)
    const [first = ''] = two.baseUrls
    const { bearer, elevation } = await signInOperator(first)
    const headers = { 'x-svc-elevation': await elevation() }
    order = async (path) => {
      const body = { reason: 'A reason.' }
      const { status } = await api(first, 'POST', `/api/admin/${path}`, { bearer, headers, body })
      expect(status, path).to.equal(200)
    }
  })
  after(() => two?.stop())

  /** Calls the other process. */
  const call = (method: string, path: string, bearer: string, body?: object) =>
    api(two.baseUrls[1] ?? '', method, path, { bearer, ...(body ? { body } : {}) })
  const codeAt = async (path: string, bearer: string): Promise<string> => {
    const { status, body } = await call('GET', path, bearer)
    return status === 200 ? 'served' : body.code
  }
  const eventually = (look: () => Promise<unknown>, value: unknown) =>
    waitUntil(async () => (JSON.stringify(await look()) === JSON.stringify(value) ? true : null))

  it('ends the sessions and keys of an account in the other, and starts its keys again', async () => {
    const { accessToken, personalKey } = await createOrganisation(two.baseUrls[0] ?? '')
    const { user } = (await call('GET', '/api/me', accessToken)).body
    const seen = async () => [
      await codeAt('/api/me', accessToken),
      await codeAt('/api/activity', personalKey),
    ]
    expect(await seen()).to.deep.equal(['served', 'served'])
    await order(`accounts/${user.id}/suspend`)
    await eventually(seen, ['ACCOUNT_SUSPENDED', 'ACCOUNT_SUSPENDED'])
    await order(`accounts/${user.id}/resume`)
    await eventually(seen, ['UNAUTHENTICATED', 'served'])
  })

  it('stops the keys, agents and endpoints of an organisation in the other, and starts them again', async () => {
    const [owner, shop] = [
      await createOrganisation(two.baseUrls[0] ?? ''),
      await createOrganisation(two.baseUrls[0] ?? ''),
    ]
    const own = await registerEndpoint(two.baseUrls[0] ?? '', owner.apiKey)
    const other = await registerEndpoint(two.baseUrls[0] ?? '', shop.apiKey)
    const { svcId } = await registerAgent(two.baseUrls[0] ?? '')
    await two.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', owner.organizationId, svcId)
    const decide = async (bearer: string, counterpartyId: string) => {
      const { body } = await call('POST', '/api/agents/verify-access', bearer, {
        agentId: svcId,
        counterpartyId,
      })
      return body.code ?? body.recommendation
    }
    const seen = async () => [
      await decide(owner.apiKey, own),
      await decide(owner.personalKey, own),
      await decide(shop.apiKey, other),
    ]
    await eventually(seen, ['grant', 'grant', 'grant'])
    await order(`organizations/${owner.organizationId}/suspend`)
    await eventually(seen, ['ORGANIZATION_SUSPENDED', 'deny', 'deny'])
    await order(`organizations/${owner.organizationId}/resume`)
    await eventually(seen, ['grant', 'grant', 'grant'])
  })

  it('withdraws and restores a platform in the other', async () => {
    const shop = await createOrganisation(two.baseUrls[0] ?? '')
    const policy = { unverifiedAgentPolicy: 'allow_full' }
    const counterpartyId = await registerEndpoint(two.baseUrls[0] ?? '', shop.apiKey, policy)
    const seen = async () => {
      const callerMetadata = { userAgent: 'GPTBot/1.2' }
      const { body } = await call('POST', '/api/agents/verify-access', shop.apiKey, {
        counterpartyId,
        callerMetadata,
      })
      return body.agent?.platform ?? 'unrecognised'
    }
    expect(await seen()).to.equal('openai')
    await order('platforms/openai/withdraw')
    await eventually(seen, 'unrecognised')
    await order('platforms/openai/restore')
    await eventually(seen, 'openai')
  })
})
