import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Access } from '../middleware/authorise.ts'
import type { Handler } from '../middleware/call.ts'
import type { BudgetName } from '../middleware/rateBudget.ts'
import type { UploadRules } from '../middleware/readUpload.ts'
import type { Route } from '../middleware/serve.ts'
import type { Services } from './services.ts'

/**
 * One operation of the interface: how it reads in the OpenAPI document and what handles it.
 *
 * Method, path, access and budget stand in the table (`index.ts`), so that all of them can be read at once.
 */
export type Operation = {
  /** One sentence, present tense. */
  summary: string
  /** Schema of the JSON body; left out when there is none. */
  body?: z.ZodType
  /** Set where the body is `multipart/form-data` instead: what it may hold. */
  upload?: UploadRules
  /** Schemas of query parameters, by name. */
  query?: Record<string, z.ZodType>
  /** Headers that say what a body or query could, by name, with what each is. */
  headers?: Readonly<Record<string, string>>
  /** Status of the successful answer; 200 when left out. */
  status?: number
  /** Media type of the successful answer; JSON when left out. */
  mediaType?: string
  /** Schema of the successful answer. */
  answer: z.ZodType
  /** Other answers that are no errors of the catalogue, by status: when each is given, and its schema if it has a body. */
  alsoAnswers?: Readonly<Record<number, { when: string; answer?: z.ZodType }>>
  /** Schemas of other forms of `answer` that a request can ask for by `Accept`, by media type. */
  otherAnswers?: Record<string, z.ZodType>
  /** The codes of the catalogue this operation can answer beyond those of the border. */
  errors: readonly ErrorCode[]
  /** Set where a repetition under the same Idempotency-Key gets the first answer again: what creates something. */
  repeatable?: true
  /** Members of the body that a repetition may have other than the first request: they say the same anew. */
  repeatableApartFrom?: readonly string[]
  /** Set where the operation is answered whatever the load (`Route`). */
  vital?: Route['vital']
  /** Set where the operation follows a standard of others (`Route`). */
  standard?: Route['standard']
  handle(services: Services): Handler
}

/** One row of the table: method · path · who may call · rate budget · operation. */
export type TableRow = readonly [
  method: Route['method'],
  path: string,
  access: Access,
  budget: BudgetName,
  operation: Operation,
]
