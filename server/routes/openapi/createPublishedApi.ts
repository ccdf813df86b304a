import type { TableRow } from '../operation.ts'
import { openApiDocument } from './openApiDocument.ts'

/** The OpenAPI document as JSON. */
export type PublishedApi = () => string

/**
 * Writes the description of a route table on the first request and caches it: writing takes a tenth of a second, during
 * which the process serves nothing else.
 */
export function createPublishedApi(table: readonly TableRow[], publicUrl: string): PublishedApi {
  let written: string | undefined
  return () => {
    written ??= JSON.stringify(openApiDocument(table, publicUrl))
    return written
  }
}
