import { type ActivityFacts, addOutcome, computeTrustScore, identifySource } from '@svc/core/trustScore.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { scaleCaseCount } from '../harness/values/scaleCaseCount.ts'

const NOW = Date.parse('2026-01-07T12:00:00Z')
const HOUR = 3_600_000

/** People by number. The first one tries to move the score; organisations and endpoints are theirs, or of anybody. */
type Graph = {
  people: number
  organizations: { creator: number; administrators: number[] }[]
  /** The owner of each endpoint: a person, or an organisation, numbered behind the people. */
  endpoints: { owner: number; isProven: boolean }[]
  agentOwner: number
  /** Outcomes in order of time. */
  outcomes: { endpoint: number; isGrant: boolean; times: number; hoursLater: number }[]
}

const anyIndex = fc.nat({ max: 10_000 })
const schemerOrAnybody = fc.oneof(fc.constant(0), anyIndex)

/** Few people with many organisations, or so many that not all of them are told apart. */
const graphs: fc.Arbitrary<Graph> = fc
  .tuple(fc.constantFrom(3, 12, 90), fc.constantFrom(0.05, 0.5, 0.95))
  .chain(([people, partOfGrants]) =>
    fc.record({
      people: fc.constant(people),
      organizations: fc.array(
        fc.record({
          creator: schemerOrAnybody,
          administrators: fc.array(schemerOrAnybody, { maxLength: 4 }),
        }),
        { minLength: people, maxLength: 2 * people },
      ),
      endpoints: fc.array(fc.record({ owner: anyIndex, isProven: fc.boolean() }), {
        minLength: people,
        maxLength: 3 * people,
      }),
      agentOwner: anyIndex,
      outcomes: fc.array(
        fc.record({
          endpoint: anyIndex,
          isGrant: fc.double({ min: 0, max: 1, noNaN: true }).map((part) => part < partOfGrants),
          times: fc.constantFrom(1, 2, 30),
          hoursLater: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 })),
        }),
        { minLength: people, maxLength: 2 * people + 20 },
      ),
    }),
  )

const nameOf = (index: number, { people }: Pick<Graph, 'people'>) =>
  `person-${String(index % people).padStart(2, '0')}`
const SCHEMER = nameOf(0, { people: 1 })

/** Resolves the indexes of a graph: the people behind every endpoint, and behind the agent. */
function resolve(graph: Graph) {
  const { people, organizations, endpoints, agentOwner } = graph
  const behind = (owner: number): string[] => {
    const at = owner % (people + organizations.length)
    const organization = organizations[at - people]
    if (organization === undefined) return [nameOf(at, graph)]
    const { creator, administrators } = organization
    return [...new Set([creator, ...administrators].map((index) => nameOf(index, graph)))]
  }
  return {
    agent: behind(agentOwner),
    endpoints: endpoints.map(({ owner, isProven }) => ({ people: behind(owner), isProven })),
  }
}

/** The score after each outcome, without those at endpoints that one person is behind. */
function playWithout(graph: Graph, person: string | null): number[] {
  const { agent, endpoints } = resolve(graph)
  let activity: ActivityFacts | undefined
  let now = NOW
  return graph.outcomes.map(({ endpoint, isGrant, times, hoursLater }) => {
    now += hoursLater * HOUR
    const at = endpoints[endpoint % endpoints.length]
    const id = at === undefined ? null : identifySource(agent, at.people)
    if (id !== null && at !== undefined && !(person !== null && at.people.includes(person))) {
      const outcome = {
        kind: isGrant ? ('granted' as const) : ('violation' as const),
        source: { id, hasProvenDomain: at.isProven },
      }
      for (let nth = 0; nth < times; nth += 1) activity = addOutcome(activity, outcome, now)
    }
    return computeTrustScore({ origin: ORIGIN, owner: OWNER, activity }, now)
  })
}

const ORIGIN = {
  isVouchedFor: true,
  hasDescription: true,
  hasAgentType: false,
  hasProtocols: true,
  hasChallengeUrl: false,
  declaredDimensions: 1,
  hasOnChainIdentity: true,
  certificationCount: 0,
}
const OWNER = {
  hasVerifiedEmail: true,
  hasVerifiedIdentity: false,
  hasProvenDomain: false,
  hasSecondFactor: false,
}

describe('one person’s reach', () => {
  it('is at most five points up and eight down, whatever they created or administer', () => {
    fc.assert(
      fc.property(graphs, fc.boolean(), anyIndex, (graph, isSchemer, index) => {
        const without = playWithout(graph, isSchemer ? SCHEMER : nameOf(index, graph))
        const moved = playWithout(graph, null).map((score, nth) => score - (without[nth] ?? 0))
        expect(Math.max(...moved)).to.be.at.most(5)
        expect(Math.min(...moved)).to.be.at.least(-8)
      }),
      { numRuns: scaleCaseCount(300) },
    )
  })

  it('does not extend to agents that they can administer', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { agent } = resolve(graph)
        const scores = playWithout(graph, null)
        for (const person of agent) expect(playWithout(graph, person)).to.deep.equal(scores)
      }),
      { numRuns: scaleCaseCount(100) },
    )
  })
})
