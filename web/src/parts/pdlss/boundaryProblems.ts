import type { FieldError } from '@svc/core/fieldErrors.ts'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import type { Boundary } from '../../api/types.ts'

/** What is wrong with a boundary, by the schema that the service checks it with. Source: Spec: PDLSS object. */
export function boundaryProblems(boundary: Boundary, side: PdlssSide): readonly FieldError[] {
  const parsed = parsePdlss(boundary, side)
  return parsed.ok ? [] : parsed.errors
}
