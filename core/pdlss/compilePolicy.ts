import type { DecisionVersion } from '../access/decision.ts'
import { compileWeeklyWindow } from '../time/weeklyWindow.ts'
import { type CompiledLimits, compileLimits } from './compileLimits.ts'
import { type CompiledPurpose, compilePurpose } from './compilePurpose.ts'
import { type CompiledScope, compileScope } from './compileScope.ts'
import { type CompiledSelfInstantiation, compileSelfInstantiation } from './compileSelfInstantiation.ts'
import type { Pdlss, PdlssSide } from './pdlss.ts'

/** A boundary compiled for decisions, with a member for each dimension, and the original boundary. */
export type CompiledPolicy = {
  side: PdlssSide
  pdlss: Pdlss
  purpose: CompiledPurpose
  duration: CompiledDuration
  limits: CompiledLimits
  scope: CompiledScope
  selfInstantiation: CompiledSelfInstantiation
}

/**
 * Compiles a parsed boundary into closures over sets, patterns and cached zone offsets, so that decisions are fast.
 *
 * Cache the result with its agent or endpoint. An empty object is a boundary without rules, which allows an agent everything
 * except creating sub-agents.
 */
export function compilePolicy(pdlss: Pdlss, side: PdlssSide, version?: DecisionVersion): CompiledPolicy {
  const purpose = compilePurpose(pdlss.purpose)
  return {
    side,
    pdlss,
    purpose,
    duration: compileDuration(pdlss.duration),
    limits: compileLimits(pdlss.limits, pdlss.duration?.timezone),
    scope: compileScope(pdlss.scope, version),
    selfInstantiation: compileSelfInstantiation(pdlss.selfInstantiation, side, purpose),
  }
}

/** The duration dimension of a boundary. */
type CompiledDuration = {
  /** Whether an instant (epoch milliseconds) is inside the weekly window. */
  isOpenAt: (now: number) => boolean
  /** Longest session in seconds; infinite when the boundary names none. */
  sessionSecondsMax: number
}

function compileDuration(duration: Pdlss['duration']): CompiledDuration {
  return {
    isOpenAt: compileWeeklyWindow(duration ?? {}),
    sessionSecondsMax: duration?.maxSessionDuration ?? Number.POSITIVE_INFINITY,
  }
}
