import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Fields = Record<string, unknown>

/** A party as the corpus writes it; see the head of 01-purpose.yaml. */
type PolicyCaseAgent = Fields | 'none' | 'unknown'

/** A policy case with everything it inherits from its group and from the defaults. */
export type PolicyCase = {
  title: string
  agent: PolicyCaseAgent
  endpoint: Fields
  request: Fields
  counters: Fields
  challenge: 'passed' | 'failed' | 'not_issued'
  approval: Fields | null
  sharesOwner: boolean
  /** What was found of the platform that the user agent claims. */
  evidence: string
  /** Epoch milliseconds. */
  now: number
  expect: ExpectedDecision
}

/** What a case expects, spelled out. */
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
  /** Id of the platform that is recognised. */
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
  pdlss: {},
  allowlist: [],
  host: 'shop.example',
  merchantIds: [],
}
const NOW = '2026-01-07T12:00:00Z'

let read: readonly PolicyCase[] | undefined

/** Every policy case of the corpus, in the order of the files, which are read once. */
export function loadPolicyCases(): readonly PolicyCase[] {
  read ??= readPolicyCases()
  return read
}

function readPolicyCases(): PolicyCase[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'))
  return names.sort().flatMap((name) => {
    const file = parse(readFileSync(`${import.meta.dirname}/${name}`, 'utf8'), { version: '1.2' })
    return file.groups.flatMap((group: Fields & { cases: Fields[] }) =>
      group.cases.map((one) => policyCase(file.suite, group, one)),
    )
  })
}

function policyCase(suite: string, group: Fields, one: Fields): PolicyCase {
  return {
    title: `${suite} › ${group.name} › ${one.name}`,
    agent: agentOf(group.agent, one.agent),
    endpoint: { ...ENDPOINT, ...fields(group.endpoint), ...fields(one.endpoint) },
    request: { ...fields(group.request), ...withoutNulls(fields(one.request)) },
    counters: { ...fields(group.counters), ...fields(one.counters) },
    challenge: (one.challenge ?? group.challenge ?? 'not_issued') as PolicyCase['challenge'],
    approval: one.approval ? { isFreshAssertion: false, ...fields(one.approval) } : null,
    sharesOwner: (one.sharesOwner ?? group.sharesOwner ?? false) === true,
    evidence: String(one.evidence ?? group.evidence ?? 'ua_claim'),
    now: Date.parse(String(one.now ?? group.now ?? NOW)),
    expect: expected(one.expect),
  }
}

function agentOf(group: unknown, one: unknown): PolicyCaseAgent {
  const named = one ?? group
  if (named === 'none' || named === 'unknown') return named
  return { ...AGENT, ...fields(group), ...fields(one) }
}

function expected(expect: unknown): ExpectedDecision {
  if (expect === 'grant') return { recommendation: 'grant', accessLevel: 'standard', dimensions: [] }
  const { grant, deny, ask, audit, ...rest } = fields(expect)
  if (grant !== undefined)
    return { recommendation: 'grant', accessLevel: String(grant), dimensions: [], ...rest }
  if (audit !== undefined)
    return { recommendation: 'audit', accessLevel: String(audit), dimensions: [], ...rest }
  if (Array.isArray(deny)) return { recommendation: 'deny', accessLevel: 'none', dimensions: deny, ...rest }
  if (Array.isArray(ask)) {
    return { recommendation: 'step_up_required', accessLevel: 'none', dimensions: ask, ...rest }
  }
  throw new Error(`a case expects nothing that is known: ${JSON.stringify(expect)}`)
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** An empty member in a case takes the group's member away. */
function withoutNulls(members: Fields): Fields {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value === null ? undefined : value]),
  )
}
