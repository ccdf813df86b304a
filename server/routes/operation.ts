import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Access } from '../middleware/authorise.ts'
import type { Answer, Call, RepeatableCall, WaitingCall } from '../middleware/call.ts'
import type { HostWait } from '../middleware/createHostPlaces.ts'
import type { Repetition } from '../middleware/readKeyedRequest.ts'
import type { UploadRules } from '../middleware/readUpload.ts'
import type { Route } from '../middleware/serve.ts'

/** A response that is not an error of the catalogue: when it is sent, and its schema if it has a body. */
type OtherAnswer = { when: string; answer?: z.ZodType }

/**
 * One operation of the API: its description for the OpenAPI document, and its handler.
 *
 * Method, path, access and budget are in the table (`index.ts`), so that they can be compared at a glance.
 */
export type Operation<Parts = never> = {
  /** Published in the API reference: the third person present, one or two sentences. */
  summary: string
  /** Schema of the JSON body; omitted when there is none. */
  body?: z.ZodType
  /** The parts of a `multipart/form-data` body; omitted for other bodies. */
  upload?: UploadRules
  /** Schemas of query parameters, by name. */
  query?: Record<string, z.ZodType>
  /** Headers that the operation itself reads, by name, with a description of each. */
  headers?: Readonly<Record<string, string>>
  /** Status of the successful response; 200 by default. */
  status?: number
  /** Media type of the successful response; JSON by default. */
  mediaType?: string
  /** Schema of the successful response. */
  answer: z.ZodType
  /** Other responses, by status. */
  otherStatuses?: Readonly<Record<number, OtherAnswer>>
  /** Schemas of other representations that a request can select with `Accept`, by media type. */
  otherMediaTypes?: Record<string, z.ZodType>
  /** The codes of the catalogue that the operation itself can return, in addition to those of the border. */
  errors: readonly ErrorCode[]
  /** Set if a retry with the same Idempotency-Key gets the original response, as for operations that create something. */
  repeatable?: true
  /** Members of the body that may differ in a retry, because every attempt has to generate them again. */
  repeatableApartFrom?: readonly string[]
  /**
   * Set if the response has the `ETag` of the settings that can be changed; an operation that changes them takes it in
   * `If-Match`.
   */
  isTagged?: true
  /** For decisions: describes the state on which a stored response depends (`KeyedRequest`). */
  stamp?(parts: Parts): (call: Call) => Promise<string> | string
  /** Counts what the stamp costs beyond the call itself (`Repetition`). */
  chargeStamp?: Repetition['chargeStamp']
  /** Set if the operation may wait for hosts that users name (`Route`): only then is it given `waitForHost`. */
  waitsForHost?: HostWait
  /** Set if the operation is served under any load (`Route`). */
  vital?: Route['vital']
  /** Set for documents that anyone may check, so that pages of any origin may read them (`Route`). */
  isPublicDocument?: Route['isPublicDocument']
  /** Set if the operation follows an external standard (`Route`). */
  standard?: Route['standard']
  /** Binds the handler to the parts that it needs. */
  handle(parts: Parts): (call: RepeatableCall & WaitingCall) => Promise<Answer> | Answer
}

/**
 * What a handler may return for a schema. Lists may be read-only, because they are only serialised; members that a loose
 * schema does not declare are not checked.
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

/** The bodies of all the responses that the definition describes. */
type BodyOf<Schema, Others> =
  | (Schema extends z.ZodType ? Readable<z.input<Schema>> : never)
  | (OtherSchemas<Others> extends infer Other
      ? Other extends z.ZodType
        ? Readable<z.input<Other>>
        : never
      : never)

/** Lets the compiler read `success: true` as a literal while it still infers the schema. */
type Envelope = { success?: boolean }

/** Text, bytes and streams have no schema, only a media type. */
type AnswerOf<Schema, Others> =
  | (Omit<Answer, 'body' | 'contentType' | 'stream'> & {
      body: (BodyOf<Schema, Others> & Envelope) | (Others extends object ? null : never)
    })
  | (Answer & { contentType: string; body: string | Buffer | null })

type Definition<
  Schema extends z.ZodType,
  Others,
  Repeatable extends true | undefined,
  Waits extends HostWait | undefined,
  Parts,
> = Omit<
  Operation<Parts>,
  'answer' | 'otherStatuses' | 'repeatable' | 'waitsForHost' | 'stamp' | 'handle'
> & {
  answer: Schema
  otherStatuses?: Others
  repeatable?: Repeatable
  waitsForHost?: Waits
  stamp?(parts: Parts): (call: Call) => Promise<string> | string
  handle(
    parts: Parts,
  ): (
    call: (Repeatable extends true ? RepeatableCall : Call) &
      (Waits extends HostWait ? WaitingCall : unknown),
  ) => Promise<AnswerOf<Schema, Others>> | AnswerOf<Schema, Others>
}

/**
 * Defines an operation. A handler whose response does not match the schema fails to compile.
 *
 * `handle` declares the parts that it needs, usually the dependencies of one use case; `compose` provides them all.
 */
export function operation<
  const Schema extends z.ZodType,
  const Others extends Readonly<Record<number, OtherAnswer>> | undefined = undefined,
  const Repeatable extends true | undefined = undefined,
  const Waits extends HostWait | undefined = undefined,
  Parts = unknown,
>(definition: Definition<Schema, Others, Repeatable, Waits, Parts>): Operation<Parts> & { answer: Schema } {
  return definition as Operation<Parts> & { answer: Schema }
}

/** One row of the table: method · path · who may call · rate budget · operation. */
export type TableRow = readonly [
  method: Route['method'],
  path: string,
  access: Access,
  budget: Route['budget'],
  operation: Operation,
]
