import type { z } from 'zod'
import { compileGlobs } from '../glob/compileGlobs.ts'
import { compileAllowedGlobs } from '../glob/compileResourceRules.ts'
import { bareActionOf, normaliseAction } from '../pdlss/actionName.ts'
import type { approvalRulesSchema } from './approvalRulesSchema.ts'
import { DECISION_VERSION, type DecisionVersion } from './decision.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** One of the owner's settings about what to be asked. */
export type ApprovalRule = z.infer<typeof approvalRulesSchema>[number]

/** The rules of a new agent: the owner is asked about spend between the Autonomous Limit and the Hard Limit. */
export const DEFAULT_APPROVAL_RULES: readonly ApprovalRule[] = [{ dimension: 'spend', match: {} }]

/** An owner's approval rules, compiled into tests of a request. */
export type CompiledApprovalRules = {
  asksAboutPurpose: (request: VerificationRequest) => boolean
  asksAboutDuration: boolean
  asksAboutScope: (part: ScopePart, request: VerificationRequest, host: string | undefined) => boolean
  asksAboutSelfInstantiation: (subAgentPurpose: string | undefined) => boolean
  /** The owner is asked about spend at or above this, in addition to spend between the limits of the boundary. */
  asksAboutSpendFrom: number
}

/** The parts of scope that are judged separately; a counterparty's trust and registration belong to the third. */
export type ScopePart = 'resources' | 'jurisdictions' | 'counterparties'

type RuleOn<Dimension> = Extract<ApprovalRule, { dimension: Dimension }>

/**
 * Compiles approval rules.
 *
 * Spend between the Autonomous Limit and the Hard Limit always needs approval, because rules cannot widen the boundary; a
 * `spend` rule with `minValue` asks about lower spend too. The owner is never asked about an ambiguous resource.
 */
export function compileApprovalRules(
  rules: readonly ApprovalRule[],
  version: DecisionVersion = DECISION_VERSION,
): CompiledApprovalRules {
  const purpose = rules.flatMap((rule) =>
    rule.dimension === 'purpose' ? [compilePurposeMatch(rule.match, version)] : [],
  )
  const scope = rules.flatMap((rule) =>
    rule.dimension === 'scope' ? [compileScopeMatch(rule.match, version)] : [],
  )
  const selfInstantiation = rules.flatMap((rule) =>
    rule.dimension === 'selfInstantiation' ? [compileSubAgentMatch(rule.match, version)] : [],
  )
  const spend = rules.flatMap((rule) => (rule.dimension === 'spend' ? [rule.match.minValue ?? Infinity] : []))
  return {
    asksAboutPurpose: (request) => purpose.some((matches) => matches(request)),
    asksAboutDuration: rules.some((rule) => rule.dimension === 'duration'),
    asksAboutScope: (part, request, host) =>
      !(request.resource !== undefined && request.plainResource === undefined) &&
      scope.some((rule) => rule.covers(part) && rule.matches(request, host)),
    asksAboutSelfInstantiation: (subAgentPurpose) =>
      selfInstantiation.some((matches) => matches(subAgentPurpose)),
    asksAboutSpendFrom: Math.min(Infinity, ...spend),
  }
}

/** Since version 4, an action without a category counts as one of every category, as it does for denied actions. */
function compilePurposeMatch(match: RuleOn<'purpose'>['match'], version: DecisionVersion) {
  const categories = namesOf(match.categories)
  const actions = new Set(match.actions?.map(normaliseAction))
  const withoutCategory = new Set(Array.from(actions, bareActionOf))
  return ({ category, action, qualifiedAction }: VerificationRequest) => {
    const isOfEvery = version >= 4 && action !== undefined && category === undefined
    if (!isOfEvery && !holds(categories, category)) return false
    if (actions.size === 0) return true
    if (action === undefined) return false
    if (actions.has(action) || (qualifiedAction !== undefined && actions.has(qualifiedAction))) return true
    return isOfEvery && withoutCategory.has(action)
  }
}

/** Under version 1, a rule that applied to a request covered every part of its scope. */
function compileScopeMatch(match: RuleOn<'scope'>['match'], version: DecisionVersion) {
  const resources = match.resources ?? []
  const isListed = (version === 1 ? compileGlobs : compileAllowedGlobs)(resources)
  const jurisdictions = namesOf(match.jurisdictions)
  const counterparties = namesOf(match.counterparties)
  const coversAll =
    version === 1 || (resources.length === 0 && jurisdictions.size === 0 && counterparties.size === 0)
  return {
    covers: (part: ScopePart) => coversAll || (match[part]?.length ?? 0) > 0,
    matches: ({ resource, plainResource = '', jurisdiction }: VerificationRequest, host?: string) =>
      (resources.length === 0 || (resource !== undefined && isListed(resource, plainResource))) &&
      holds(jurisdictions, jurisdiction?.toLowerCase()) &&
      holds(counterparties, host),
  }
}

/** Since version 4, a sub-agent without a purpose counts as one of every purpose, as it does when one is registered. */
function compileSubAgentMatch(match: RuleOn<'selfInstantiation'>['match'], version: DecisionVersion) {
  const purposes = namesOf(match.purposes)
  return (purpose: string | undefined) => (version >= 4 && purpose === undefined) || holds(purposes, purpose)
}

function namesOf(names: readonly string[] | undefined): Set<string> {
  return new Set((names ?? []).map((name) => name.toLowerCase()))
}

function holds(names: Set<string>, name: string | undefined): boolean {
  return names.size === 0 || (name !== undefined && names.has(name))
}
