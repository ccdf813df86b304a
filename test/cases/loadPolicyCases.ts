import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Fields = Record<string, unknown>

/** An agent as the corpus writes it; see the header of 01-purpose.yaml. */
type PolicyCaseAgent = Fields | 'none' | 'unknown'

/** A policy case, complete with what it inherits from its group and from the defaults. */
export type PolicyCase = {
  title: string
  agent: PolicyCaseAgent
  endpoint: Fields
  request: Fields
  counters: Fields
  challenge: 'passed' | 'failed' | 'not_issued'
  approval: Fields | null
  sharesOwner: boolean
  /** The evidence for the platform that the user agent claims. */
  evidence: string
  /** Epoch milliseconds. */
  now: number
  expect: ExpectedDecision
}

/** The expected decision in full. */
type ExpectedDecision = {
  recommendation: 'grant' | 'deny' | 'step_up_required' | 'audit'
  accessLevel: string
  /** Exactly these, in this order. */
  dimensions: string[]
  session?: number
  consumes?: boolean
  notice?: boolean
  counts?: boolean
  fresh?: boolean
  /** Id of the recognised platform. */
  platform?: string
}

const AGENT: Fields = {
  status: 'active',
  trustScore: 50,
  certifications: [],
  owner: 'SVCD-ownerOfAgent0000000001',
  pdlss: {},
  approvalRules: ['spend'],
}
const ENDPOINT: Fields = {
  status: 'active',
  tier: 'self_asserted',
  trustScoreRequirement: 0,
  unverifiedAgentPolicy: 'deny',
  minIdentityProof: 'none',
  pdlss: {},
  allowlist: [],
  host: 'shop.example',
  merchantIds: [],
}
const NOW = '2026-01-07T12:00:00Z'

let read: readonly PolicyCase[] | undefined

/** Returns every policy case of the corpus in file order; the files are read once. */
export function loadPolicyCases(): readonly PolicyCase[] {
  read ??= readPolicyCases()
  return read
}

function readPolicyCases(): PolicyCase[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'))
  return names.sort().flatMap((name) => {
    const file = parse(readFileSync(`${import.meta.dirname}/${name}`, 'utf8'), { version: '1.2' })
    return file.groups.flatMap((group: Fields & { cases: Fields[] }) =>
      group.cases.map((one) => completeCase(file.suite, group, one)),
    )
  })
}

function completeCase(suite: string, group: Fields, one: Fields): PolicyCase {
  return {
    title: `${suite} › ${group.name} › ${one.name}`,
    agent: mergeAgent(group.agent, one.agent),
    endpoint: { ...ENDPOINT, ...asFields(group.endpoint), ...asFields(one.endpoint) },
    request: { ...asFields(group.request), ...withoutNulls(asFields(one.request)) },
    counters: { ...asFields(group.counters), ...asFields(one.counters) },
    challenge: (one.challenge ?? group.challenge ?? 'not_issued') as PolicyCase['challenge'],
    approval: one.approval ? { isFreshAssertion: false, ...asFields(one.approval) } : null,
    sharesOwner: (one.sharesOwner ?? group.sharesOwner ?? false) === true,
    evidence: String(one.evidence ?? group.evidence ?? 'ua_claim'),
    now: Date.parse(String(one.now ?? group.now ?? NOW)),
    expect: parseExpected(one.expect),
  }
}

function mergeAgent(group: unknown, one: unknown): PolicyCaseAgent {
  const named = one ?? group
  if (named === 'none' || named === 'unknown') return named
  return { ...AGENT, ...asFields(group), ...asFields(one) }
}

function parseExpected(expect: unknown): ExpectedDecision {
  if (expect === 'grant') return { recommendation: 'grant', accessLevel: 'standard', dimensions: [] }
  const { grant, deny, ask, audit, ...rest } = asFields(expect)
  if (grant !== undefined)
    return { recommendation: 'grant', accessLevel: String(grant), dimensions: [], ...rest }
  if (audit !== undefined)
    return { recommendation: 'audit', accessLevel: String(audit), dimensions: [], ...rest }
  if (Array.isArray(deny)) return { recommendation: 'deny', accessLevel: 'none', dimensions: deny, ...rest }
  if (Array.isArray(ask)) {
    return { recommendation: 'step_up_required', accessLevel: 'none', dimensions: ask, ...rest }
  }
  throw new Error(`unknown expectation in a case: ${JSON.stringify(expect)}`)
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** An empty member in a case removes the group's member. */
function withoutNulls(members: Fields): Fields {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value === null ? undefined : value]),
  )
}
