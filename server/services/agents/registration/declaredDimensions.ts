import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'

/** The dimensions of a boundary that say something: a name without a rule is none. */
export function declaredDimensions(pdlss: Pdlss): string[] {
  return Object.entries(pdlss)
    .filter(([, rules]) => Object.keys(rules ?? {}).length > 0)
    .map(([dimension]) => dimension)
}
