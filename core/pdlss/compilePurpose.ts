import type { VerificationRequest } from '../access/verificationRequest.ts'
import { bareActionOf, normaliseAction } from './actionName.ts'
import type { Pdlss } from './pdlss.ts'

type Named = Pick<VerificationRequest, 'category' | 'action' | 'qualifiedAction'>

/** The purpose dimension of a boundary. */
export type CompiledPurpose = {
  refusesCategory: (request: Named) => boolean
  refusesAction: (request: Named) => boolean
}

/**
 * Compiles the purpose dimension.
 *
 * Both `category.action` and a bare `action` match, and a denied action always wins. A list of categories requires the
 * request to state one. A request that states only a category passes a list of allowed actions if one of them is possible
 * in that category. A request that states an action without a category is denied by every denied action of that name.
 */
export function compilePurpose(purpose: Pdlss['purpose']): CompiledPurpose {
  const categories = new Set((purpose?.categories ?? []).map((name) => name.toLowerCase()))
  return {
    refusesCategory:
      categories.size === 0
        ? refuseNothing
        : ({ category }) => category === undefined || !categories.has(category),
    refusesAction: compileActions(
      normaliseNames(purpose?.allowedActions),
      normaliseNames(purpose?.deniedActions),
    ),
  }
}

const refuseNothing = () => false

function compileActions(
  allowed: readonly string[],
  denied: readonly string[],
): CompiledPurpose['refusesAction'] {
  if (allowed.length === 0 && denied.length === 0) return refuseNothing
  const isDenied = compileDenied(denied)
  const isAllowed = compileAllowed(allowed)
  return (request) => isDenied(request) || !isAllowed(request)
}

function compileDenied(denied: readonly string[]): (request: Named) => boolean {
  const names = new Set(denied)
  const withoutCategory = new Set(denied.map(bareActionOf))
  return ({ action, qualifiedAction }) => {
    if (action === undefined || names.size === 0) return false
    if (names.has(action)) return true
    return qualifiedAction === undefined ? withoutCategory.has(action) : names.has(qualifiedAction)
  }
}

function compileAllowed(allowed: readonly string[]): (request: Named) => boolean {
  if (allowed.length === 0) return () => true
  const names = new Set(allowed)
  const hasBareName = allowed.some((name) => !name.includes('.'))
  const categories = new Set(allowed.map((name) => name.slice(0, Math.max(0, name.indexOf('.')))))
  return ({ category, action, qualifiedAction }) => {
    if (action !== undefined) {
      return names.has(action) || (qualifiedAction !== undefined && names.has(qualifiedAction))
    }
    return category !== undefined && (hasBareName || categories.has(category))
  }
}

function normaliseNames(names: readonly string[] | undefined): string[] {
  return (names ?? []).map(normaliseAction)
}
