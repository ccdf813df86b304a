import type { TableRow } from '../operation.ts'
import { openApiDocument } from './openApiDocument.ts'
import { referencePage } from './referencePage.ts'

/** The OpenAPI document as JSON, and the same as a page for people. */
export type PublishedApi = () => { json: string; page: string }

/**
 * Writes the description of a route table when it is first asked for, and keeps it: writing it takes a tenth of a second, in
 * which nobody else would be answered.
 *
 * Source: api.md "Approvals, activity, audit" (`GET /api/openapi.json`).
 */
export function publishedApi(table: readonly TableRow[], publicUrl: string): PublishedApi {
  let written: ReturnType<PublishedApi> | undefined
  const write = () => {
    const document = openApiDocument(table, publicUrl)
    return { json: JSON.stringify(document), page: referencePage(document) }
  }
  return () => {
    written ??= write()
    return written
  }
}
