import type { Route } from '../middleware/serve.ts'
import { TABLE } from './index.ts'

type NeededBy<Operation> = Operation extends { handle(parts: infer Needed): unknown }
  ? (parts: Needed) => void
  : never

/** The parts that the operations of the table need, one record for each resource. */
export type Parts = NeededBy<(typeof TABLE)[number][4]> extends (parts: infer All) => void ? All : never

/** Binds the handlers of the table to their parts. */
export function routes(parts: Parts): readonly Route[] {
  return TABLE.map(([method, path, access, budget, operation]) => ({
    method,
    path,
    access,
    budget,
    repeatable: operation.repeatable === true,
    ...(operation.repeatableApartFrom ? { repeatableApartFrom: operation.repeatableApartFrom } : {}),
    ...(operation.stamp ? { stamp: operation.stamp(parts) } : {}),
    ...(operation.chargeStamp ? { chargeStamp: operation.chargeStamp } : {}),
    standard: operation.standard,
    waitsForHost: operation.waitsForHost,
    ...(operation.vital ? { vital: operation.vital } : {}),
    ...(operation.isPublicDocument ? { isPublicDocument: true } : {}),
    ...(operation.upload ? { upload: operation.upload } : {}),
    handler: operation.handle(parts),
  }))
}
