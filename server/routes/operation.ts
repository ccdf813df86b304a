import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Access } from '../middleware/authorise.ts'
import type { Answer, Call, RepeatableCall } from '../middleware/call.ts'
import type { BudgetName } from '../middleware/rateBudget.ts'
import type { UploadRules } from '../middleware/readUpload.ts'
import type { Route } from '../middleware/serve.ts'

/** An answer that is not an error of the catalogue: when it is given, and its schema if it has a body. */
type OtherAnswer = { when: string; answer?: z.ZodType }

/**
 * One operation of the interface: how it reads in the OpenAPI document, and what handles it.
 *
 * Method, path, access and budget are in the table (`index.ts`), so that all of them can be read at once.
 */
export type Operation<Parts = never> = {
  /** One sentence, present tense. */
  summary: string
  /** Schema of the JSON body; omitted when there is none. */
  body?: z.ZodType
  /** Set where the body is `multipart/form-data`: what it may hold. */
  upload?: UploadRules
  /** Schemas of query parameters, by name. */
  query?: Record<string, z.ZodType>
  /** Headers that can replace a body or query member, by name, with a description of each. */
  headers?: Readonly<Record<string, string>>
  /** Status of the successful answer; 200 by default. */
  status?: number
  /** Media type of the successful answer; JSON by default. */
  mediaType?: string
  /** Schema of the successful answer. */
  answer: z.ZodType
  /** Other successful answers, by status. */
  alsoAnswers?: Readonly<Record<number, OtherAnswer>>
  /** Schemas of other representations that a request can select with `Accept`, by media type. */
  otherAnswers?: Record<string, z.ZodType>
  /** The codes of the catalogue that this operation can return beyond those of the border. */
  errors: readonly ErrorCode[]
  /** Set where a repetition under the same Idempotency-Key gets the first answer again: what creates something. */
  repeatable?: true
  /** Members of the body that may differ in a repetition, because they state the same thing afresh. */
  repeatableApartFrom?: readonly string[]
  /** Set where the operation is served whatever the load (`Route`). */
  vital?: Route['vital']
  /** Set where the operation follows an external standard (`Route`). */
  standard?: Route['standard']
  /** Binds the operation to the parts that it needs. */
  handle(parts: Parts): (call: RepeatableCall) => Promise<Answer> | Answer
}

/**
 * What a handler may return for a schema. Lists may be read-only, because they are only serialised; members that a loose
 * schema leaves open are not looked at.
 */
type Readable<T> = T extends (infer Item)[]
  ? readonly Readable<Item>[]
  : T extends object
    ? {
        readonly [Key in keyof T as string extends Key
          ? unknown extends T[Key]
            ? never
            : Key
          : Key]: Readable<T[Key]>
      }
    : T

type OtherSchemas<Others> =
  Others extends Readonly<Record<number, { answer?: infer Schema }>> ? Schema : never

/** The bodies of all the answers that the definition describes. */
type BodyOf<Schema, Others> =
  | (Schema extends z.ZodType ? Readable<z.input<Schema>> : never)
  | (OtherSchemas<Others> extends infer Other
      ? Other extends z.ZodType
        ? Readable<z.input<Other>>
        : never
      : never)

/** States what the compiler cannot see while it still infers the schema: that `success` is the literal. */
type Envelope = { success?: boolean }

/** Text, bytes and streams are not described by a schema beyond their media type. */
type AnswerOf<Schema, Others> =
  | (Omit<Answer, 'body' | 'contentType' | 'stream'> & {
      body: (BodyOf<Schema, Others> & Envelope) | (Others extends object ? null : never)
    })
  | (Answer & { contentType: string; body: string | Buffer | null })

type Definition<Schema extends z.ZodType, Others, Repeatable extends true | undefined, Parts> = Omit<
  Operation<Parts>,
  'answer' | 'alsoAnswers' | 'repeatable' | 'handle'
> & {
  answer: Schema
  alsoAnswers?: Others
  repeatable?: Repeatable
  handle(
    parts: Parts,
  ): (
    call: Repeatable extends true ? RepeatableCall : Call,
  ) => Promise<AnswerOf<Schema, Others>> | AnswerOf<Schema, Others>
}

/**
 * Defines an operation. A handler whose answer is not what its schema describes does not compile.
 *
 * `handle` states the parts it needs, usually the dependencies of one use case; `compose` provides them all.
 */
export function operation<
  const Schema extends z.ZodType,
  const Others extends Readonly<Record<number, OtherAnswer>> | undefined = undefined,
  const Repeatable extends true | undefined = undefined,
  Parts = unknown,
>(definition: Definition<Schema, Others, Repeatable, Parts>): Operation<Parts> & { answer: Schema } {
  return definition as Operation<Parts> & { answer: Schema }
}

/** One row of the table: method · path · who may call · rate budget · operation. */
export type TableRow = readonly [
  method: Route['method'],
  path: string,
  access: Access,
  budget: BudgetName,
  operation: Operation,
]
