import { expect } from 'chai'
import { buildMrzLines } from '../../../builders/buildMrzLines.ts'
import { createOrganisation } from '../../../builders/participants.ts'
import { KYD_PARTS, postKyd } from '../../../builders/postKyd.ts'
import { OPERATOR_SETTINGS } from '../../../builders/signInOperator.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

export type KydScene = Awaited<ReturnType<typeof openKydScene>>

/** The whole service with an operator, a clock that stands still, and people with pending cases. */
export async function openKydScene() {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const service = await startService({ settings: OPERATOR_SETTINGS, clock: () => now })
  const { baseUrl, rows } = service
  const call = (method: string, path: string, options: Parameters<typeof api>[3] = {}) =>
    api(baseUrl, method, path, options)

  /** The latest case of an account. */
  const newestCase = async (userId: string): Promise<string> => {
    const [row] = await rows<{ id: string }>(
      'SELECT id FROM kyd_cases WHERE user_id = ? ORDER BY position DESC',
      userId,
    )
    return row?.id ?? ''
  }

  return {
    service,
    baseUrl,
    rows,
    now,
    call,
    newestCase,
    /** Reads what is still stored of a case’s documents. */
    documentsOf: (caseId: string) => rows('SELECT kind FROM kyd_documents WHERE case_id = ?', caseId),
    /** An account with a pending case. */
    async applicant(documentNumber = 'L898902C3') {
      const shop = await createOrganisation(baseUrl)
      const bearer = shop.accessToken
      const { user } = (await call('GET', '/api/me', { bearer })).body
      const submit = () => {
        const parts = KYD_PARTS.map((part) =>
          part[0] === 'mrz' ? (['mrz', buildMrzLines({ documentNumber })] as const) : part,
        )
        return postKyd(baseUrl, bearer, parts)
      }
      expect((await submit()).status).to.equal(201)
      const caseId = await newestCase(user.id)
      const state = async () => (await call('GET', '/api/kyd', { bearer })).body.kyd
      return { ...shop, bearer, user, caseId, submit, state }
    },
  }
}

/** The status of an answer, and the code of its error. */
export const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
