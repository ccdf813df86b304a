import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

describe('the webhook of an endpoint', () => {
  it('cannot be at a private address if those are refused, nor without TLS', async () => {
    const guarded = await startService({ settings: { ALLOW_PRIVATE_NETWORK: 'false' } })
    try {
      const { apiKey } = await createOrganisation(guarded.baseUrl)
      const at = `/api/endpoints/${await registerEndpoint(guarded.baseUrl, apiKey)}/webhook`
      for (const url of [
        'https://127.0.0.1/',
        'https://10.0.0.1/',
        'http://hooks.acme.io/',
        'https://localhost/',
      ]) {
        const refused = await api(guarded.baseUrl, 'POST', at, { bearer: apiKey, body: { url } })
        expect([refused.status, refused.body.code], url).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
      const taken = await api(guarded.baseUrl, 'POST', at, {
        bearer: apiKey,
        body: { url: 'https://hooks.acme.io/x' },
      })
      expect(taken.status).to.equal(200)
    } finally {
      await guarded.stop()
    }
  })
})
