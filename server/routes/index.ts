import type { Access } from '../middleware/authorise.ts'
import type { BudgetName, Route } from '../middleware/serve.ts'
import type { Operation } from './operation.ts'
import type { Services } from './services.ts'

type Row = readonly [Route['method'], string, Access, BudgetName, Operation]

/** THE TABLE: method · path · who may call · rate budget · operation. */
export const TABLE: readonly Row[] = []

/** The table with its handlers bound to the services. */
export function routes(services: Services): readonly Route[] {
  return TABLE.map(([method, path, access, budget, operation]) => ({
    method,
    path,
    access,
    budget,
    handler: operation.handle(services),
  }))
}
