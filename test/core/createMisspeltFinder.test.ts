import { postAgentsRegisterBody } from '@svc/core/contract/agentRegistration.ts'
import { createMisspeltFinder } from '@svc/core/createMisspeltFinder.ts'
import { expect } from 'chai'

const NAMES = Object.keys(postAgentsRegisterBody.shape)

describe('createMisspeltFinder', () => {
  const find = createMisspeltFinder(NAMES)
  const meantBy = (name: string) => find({ [name]: 1 })?.[0]?.meant

  for (const [meant, ...slips] of [
    [
      'pdlss',
      'PDLSS',
      'pd_lss',
      'pdls',
      'pdss',
      'dlss',
      'pdlsss',
      'pddlss',
      'ppdlss',
      'pldss',
      'dplss',
      'PDLS',
    ],
    ['parentAgentId', 'parent_agent_id', 'parentAgntId', 'parentAggentId', 'praentAgentId', 'parentAgentIdd'],
    ['keys', 'kkeys', 'keyss', 'kyes'],
  ] as const) {
    it(`finds slips in ${meant}: ${slips.join(', ')}`, () => {
      for (const slip of slips) expect(meantBy(slip), slip).to.equal(meant)
    })
  }

  it('finds no other words: known ones, shorter or longer by an ending, of another letter, or of three letters', () => {
    const files = [
      'type',
      'services',
      'endpoints',
      'x402Support',
      'active',
      'registrations',
      'supportedTrust',
    ]
    const words = [
      'protocol',
      'mode',
      'images',
      'key',
      'eys',
      'acpp',
      'game',
      'version',
      'url',
      'tags',
      'owner',
    ]
    for (const word of [...NAMES, ...files, ...words]) expect(find({ [word]: 1 }), word).to.equal(undefined)
  })

  it('prefers the name that has the letters', () => {
    expect(createMisspeltFinder(['trail', 'trial'])({ TRIAL: 1 })).to.deep.equal([
      { name: 'TRIAL', meant: 'trial' },
    ])
  })
})
