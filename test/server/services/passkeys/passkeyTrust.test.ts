import { expect } from 'chai'
import { createSiweMessage } from 'viem/siwe'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('a passkey in the trust score', function () {
  this.timeout(120_000)
  let service: StartedService

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('counts for its owner’s agents from the next request on, until it is deleted', async () => {
    const { baseUrl } = service
    const { svcId, account } = await registerAgent(baseUrl)
    const origin = baseUrl.replace('127.0.0.1', 'localhost')
    const { nonce } = (await api(baseUrl, 'GET', '/api/auth/siwe/nonce')).body
    const { chainId } = (await api(baseUrl, 'GET', '/api/chain')).body
    const message = createSiweMessage({
      domain: new URL(origin).host,
      address: account.address,
      uri: origin,
      version: '1',
      chainId,
      nonce,
    })
    const signature = await account.signMessage({ message })
    const signedIn = await api(baseUrl, 'POST', '/api/auth/siwe', { body: { message, signature } })
    const bearer = signedIn.body.data.accessToken

    const { apiKey } = await createOrganisation(baseUrl)
    const counterpartyId = await registerEndpoint(baseUrl, apiKey)
    const scores = async () => {
      const own = await api(baseUrl, 'GET', `/api/agents/${svcId}`, { bearer })
      const verified = await api(baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: apiKey,
        body: { agentId: svcId, counterpartyId, requestedPurpose: 'read_data' },
      })
      return [own.body.agent.trustScore, verified.body.agent.trustScore]
    }
    // An identity on chain counts too, and arrives at any time.
    await waitUntil(async () => {
      const { blockchainStatus } = (await api(baseUrl, 'GET', `/api/agents/${svcId}`)).body.agent
      return blockchainStatus === 'verified' ? true : null
    })
    const before = await scores()

    const { elevation } = await enrolPasskey(baseUrl, bearer, origin)
    expect(await scores()).to.deep.equal(before.map((score) => score + 4))

    const passkeys = '/api/auth/passkeys'
    const [{ id }] = (await api(baseUrl, 'GET', passkeys, { bearer })).body.items
    const headers = { 'x-svc-elevation': await elevation() }
    expect((await api(baseUrl, 'DELETE', `${passkeys}/${id}`, { bearer, headers })).status).to.equal(200)
    expect(await scores()).to.deep.equal(before)
  })
})
