import type { SessionPrincipal } from '../principal.ts'
import type { DecideKydInput } from './decideKyd.ts'
import type { KydCaseView } from './kydCaseView.ts'
import type { KydView } from './kydView.ts'
import type { ListKydCasesInput } from './listKydCases.ts'
import type { OpenKydCase } from './readKydCase.ts'
import type { ReadKydDocumentInput } from './readKydDocument.ts'
import type { SubmitKydInput } from './submitKyd.ts'

/** The use cases of know-your-developer, with their dependencies bound. */
export type KydServices = {
  submit(input: SubmitKydInput): Promise<KydView>
  read(input: { userId: string }): Promise<KydView>
  listCases(input: ListKydCasesInput): Promise<{ items: KydCaseView[]; nextBefore: number | null }>
  readCase(input: { principal: SessionPrincipal; caseId: string }): Promise<OpenKydCase>
  readDocument(input: ReadKydDocumentInput): Promise<{ mediaType: string; bytes: Uint8Array }>
  decide(input: DecideKydInput): Promise<KydCaseView>
}
