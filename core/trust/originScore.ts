import type { OriginFacts } from './trustFacts.ts'

const MAX = 30
const DIMENSIONS = 5
const CERTIFICATION_POINTS = 2

/**
 * The part of the score that comes from registration and metadata, 0 to 30.
 *
 * Model and framework add up to five points, one for each field. Spec: Trust score rules.
 */
export function originScore(facts: OriginFacts): number {
  const registered = 4
  const points =
    registered +
    (facts.isVouchedFor ? 8 : 0) +
    (facts.hasOnChainIdentity ? 4 : 0) +
    filled(facts.model?.modelName, facts.model?.modelProvider, facts.model?.modelType) +
    filled(facts.framework?.frameworkName, facts.framework?.frameworkVersion) +
    (facts.hasDescription ? 2 : 0) +
    (facts.hasProtocols ? 2 : 0) +
    (facts.hasChallengeUrl ? 2 : 0) +
    (facts.hasAgentType ? 1 : 0) +
    (facts.declaredDimensions >= 1 ? 1 : 0) +
    (facts.declaredDimensions >= DIMENSIONS ? 1 : 0) +
    facts.certificationCount * CERTIFICATION_POINTS
  return Math.min(points, MAX)
}

function filled(...fields: (string | undefined)[]): number {
  return fields.filter((field) => field !== undefined && field !== '').length
}
