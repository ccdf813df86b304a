import { expect } from 'chai'
import { createNarrator } from '../../../scripts/demo/createNarrator.ts'
import { proveIdentity } from '../../../scripts/demo/proveIdentity.ts'
import { MANDATE } from '../../../scripts/demo/registerOwnersAgent.ts'
import { registerShop } from '../../../scripts/demo/registerShop.ts'
import { verifyRequests } from '../../../scripts/demo/verifyRequests.ts'
import { registerAgent } from '../../builders/participants.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

describe('the verifications of the demo', () => {
  let service: StartedService

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('have the results that the demo announces', async () => {
    const written: string[] = []
    const narrator = createNarrator((text) => written.push(text), false)
    const context = { baseUrl: service.baseUrl, rpcUrl: '', narrator }
    const { svcId, account } = await registerAgent(service.baseUrl, { pdlss: MANDATE })
    const shop = await registerShop(context)
    const recordId = await verifyRequests(context, svcId, shop)
    await proveIdentity(context, account, svcId, shop)
    expect(narrator.failures(), written.join('')).to.equal(0)
    expect(written.join('')).to.include('receipt of the grant is verified offline')
    expect(recordId).to.be.a('string')
  })
})
