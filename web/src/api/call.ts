import type { BodyOf, OperationKey } from '@svc/core/contract/operations.ts'

/** The names of the parameters in a path: `id` in `/api/agents/:id`. */
type ParamName<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<`/${Tail}`>
    : Rest
  : never

type ParamsOf<Key extends string> = { readonly [Name in ParamName<Key>]: string | number }

type ParamsIn<Key extends string> = [ParamName<Key>] extends [never]
  ? { params?: undefined }
  : { params: ParamsOf<Key> }

type BodyIn<Body> = undefined extends Body ? { body?: Body } : { body: Body }

/** Empty and undefined values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** The input of a request, whatever its operation. */
export type AnyCall = {
  /** By the names in the path, not yet encoded. */
  params?: object
  query?: Query
  body?: unknown
  /** A non-2xx status that carries an answer too: health responds with 503 and a full report. */
  alsoAccept?: number
  /** Additional headers, such as those of a signed request. */
  headers?: Record<string, string>
  /** The time limit, if the usual 20 seconds are too short for what is downloaded. */
  timeoutMs?: number
  /** Ends the request early, as its time limit does. */
  signal?: AbortSignal
  /** Called with the `ETag` of the answer, or null if it has none. */
  onTag?: (tag: string | null) => void
}

/** The input of a request to an operation: its path parameters and its body are required where the contract has them. */
export type Call<Key extends OperationKey> = AnyCall & ParamsIn<Key> & BodyIn<BodyOf<Key>>

/** Parameters of a function whose last one may be omitted if none of its members is required. */
export type LastOptional<Options> =
  Partial<Options> extends Options ? [options?: Options] : [options: Options]

/** The operations that read something. */
export type ReadKey = Extract<OperationKey, `GET ${string}`>

/** A resource in the cache: the operation that reads it, with its path parameters if it has any. */
export type Resource = {
  [Key in ReadKey]: [ParamName<Key>] extends [never] ? Key : readonly [Key, ParamsOf<Key>]
}[ReadKey]

/** The cache key of a resource, or of what a query selects of it. */
export function cacheKeyOf(key: ReadKey, { params = {}, query = {} }: Pick<AnyCall, 'params' | 'query'>) {
  return [key, params, query] as const
}

/** The path of a call with its parameters and its query, encoded. */
export function pathOf(
  key: OperationKey,
  { params = {}, query = {} }: Pick<AnyCall, 'params' | 'query'>,
): string {
  const values = new Map<string, unknown>(Object.entries(params))
  const path = key
    .slice(key.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values.get(name))))
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
