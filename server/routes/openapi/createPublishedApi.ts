import type { TableRow } from '../operation.ts'
import { openApiDocument } from './openApiDocument.ts'
import { referencePage } from './referencePage.ts'

/** The OpenAPI document as JSON and as an HTML page. */
export type PublishedApi = () => { json: string; page: string }

/**
 * Writes the description of a route table on the first request and caches it: writing takes a tenth of a second, during
 * which the process serves nothing else.
 */
export function createPublishedApi(table: readonly TableRow[], publicUrl: string): PublishedApi {
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
