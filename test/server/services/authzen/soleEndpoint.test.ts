import { expect } from 'chai'
import { composeAuthzen } from '../../../../server/compose/composeAuthzen.ts'
import { evaluateAccess } from '../../../../server/services/authzen/evaluateAccess.ts'
import { evaluateBatch } from '../../../../server/services/authzen/evaluateBatch.ts'
import { stampBatch } from '../../../../server/services/authzen/stampBatch.ts'
import type { Once } from '../../../../server/services/idempotency/answerOnce.ts'
import type { VerificationDeps } from '../../../../server/services/verification/verificationDeps.ts'
import type { EndpointRow, EndpointStore } from '../../../../server/store/endpoints/endpointStore.ts'
import { buildKeyPrincipal } from '../../../builders/buildKeyPrincipal.ts'

/** AuthZEN with these endpoints of the caller, newest first; `hasMore` if there are more beyond the scan limit. */
function doorBefore(statuses: readonly EndpointRow['status'][], hasMore: boolean, onLookUp = () => {}) {
  type Named = Awaited<ReturnType<EndpointStore['namesByOwners']>>[number]
  const all = [...statuses, ...Array<EndpointRow['status']>(hasMore ? 100 : 0).fill('deactivated')]
  const names = all.map((status, nth) => ({ status, svceId: `SVCE-${nth}` }) as Named)
  return composeAuthzen({
    publicUrl: 'https://service.example',
    endpoints: {
      async namesByOwners(_owners, _wanted, { limit }) {
        onLookUp()
        return names.slice(0, limit)
      },
    },
    verification: { resolve: { endpoints: { byPublicId: () => null } } } as unknown as VerificationDeps,
    runPart: (_name, work) => work(),
    clock: () => 0,
  })
}

describe('the default endpoint of an evaluation', () => {
  const evaluation = {
    subject: { type: 'agent', id: 'SVC-0' },
    action: { name: 'read' },
    resource: { type: 'document', id: '1' },
  }
  const principal = buildKeyPrincipal('SVCO-0000000000000000000001')
  const once: Once = (work) => work()
  const use = { now: 0, once, waitForHost: once }
  /** Returns the error of an evaluation before it is verified. */
  const evaluate = (statuses: readonly EndpointRow['status'][], hasMore = false) =>
    evaluateAccess(doorBefore(statuses, hasMore), { principal, evaluation, ...use }).catch(({ code }) => code)

  it('is the only active one, and none if there are several', async () => {
    expect(await doorBefore(['deactivated', 'active'], false).soleEndpoint(principal)).to.equal('SVCE-1')
    expect(await evaluate(['active', 'active'])).to.equal('VALIDATION_ERROR')
    expect(await evaluate([])).to.equal('VALIDATION_ERROR')
  })

  it('is looked up once for all evaluations of a batch, both to describe and to decide them', async () => {
    let lookUps = 0
    const door = doorBefore(['active', 'active'], false, () => {
      lookUps += 1
    })
    const batch = { evaluations: Array(100).fill(evaluation) }
    const refused = Array(100).fill('VALIDATION_ERROR')
    expect(JSON.parse(await stampBatch(door, principal, batch))).to.deep.equal(refused)
    expect(lookUps).to.equal(1)
    const takeAnother = async () => principal
    const { body } = await evaluateBatch(door, { principal, batch, ...use, takeAnother })
    expect(body).to.have.property('evaluations').with.length(100)
    expect(lookUps).to.equal(2)
  })

  it('is none if another active one may exist beyond the scan limit', async () => {
    expect(await evaluate(['active', 'deactivated'], true)).to.equal('VALIDATION_ERROR')
  })
})
