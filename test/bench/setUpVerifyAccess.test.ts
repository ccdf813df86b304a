import { expect } from 'chai'
import { buildLoadRequests } from '../../bench/buildLoadRequests.ts'
import type { LoadRequest } from '../../bench/load/loadRequest.ts'
import { signRequests } from '../../bench/load/signRequests.ts'
import { setUpVerifyAccess } from '../../bench/setUpVerifyAccess.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

// The benchmark is not part of the tests, so that without these a change of the API would break it unnoticed.
describe('the service that the bench loads', () => {
  let service: StartedService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const send = async ({ path, ...request }: LoadRequest) => {
    const [signed] = request.signer ? signRequests({ path, ...request }, request.signer, 1) : []
    const { headers, body } = { ...request, ...signed }
    const response = await fetch(service.baseUrl + path, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text(), expected: request.expected }
  }

  it('is set up over the public API, and answers each request of the load as the bench expects', async () => {
    const requests = buildLoadRequests(await setUpVerifyAccess(service.baseUrl))
    expect(Object.keys(requests)).deep.equal(['verified', 'signed', 'receipt', 'anonymous'])
    for (const request of Object.values(requests)) {
      const { status, text, expected } = await send(request)
      expect(status, text).equal(200)
      expect(text).include(expected)
    }
  })
})
