import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { createProofAttacks } from '../../../builders/createProofAttacks.ts'
import { scaleCaseCount } from '../../../harness/values/scaleCaseCount.ts'
import { openProofs, SECONDS, SVC_ID, SVCE_ID } from './openProofs.ts'

const CASES = scaleCaseCount(10_000)

describe('the verifier of proofs, asked by a caller that is not the agent', () => {
  it(`accepts none of ${CASES} that are stolen, replayed, cut, altered, late or bound to something else`, async () => {
    const { ed25519: key, check } = await openProofs()
    const used = new Set<string>()
    /** As the service does: with a proof that nobody has used before, and uses it up. */
    const isGranted = async (fields: object): Promise<boolean> => {
      const { grade, fault, uses } = await check({ resource: '/orders/7', ...fields })
      const isGood = uses.every((use) => !use.hasExpired && !used.has(use.key))
      for (const use of uses) used.add(use.key)
      return grade === 'signature' && fault === null && isGood
    }
    const { attacks, sign, intend, paying } = createProofAttacks({
      ...{ key, thiefs: createAgentKey(), victim: SVC_ID, thief: 'SVC-0000000000000000000000' },
      ...{ svceId: SVCE_ID, url: 'https://shop.example/orders/7', seconds: () => SECONDS },
      useUp: async (fields) => void expect(await isGranted(fields)).to.equal(true),
    })
    const all = Object.entries(attacks)
    const granted = new Set<string>()
    for (let nth = 0; nth < CASES; nth += 1) {
      const [name, attack] = all[nth % all.length] ?? []
      if (attack === undefined || name === undefined) throw new Error('no attack')
      if (await isGranted(await attack())) granted.add(name)
    }
    expect([...granted]).to.deep.equal([])
    expect(await isGranted({ callerMetadata: sign() })).to.equal(true)
    expect(await isGranted({ ...paying, intentProof: intend() })).to.equal(true)
  })
})
