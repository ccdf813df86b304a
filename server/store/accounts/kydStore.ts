import { COMPARISONS, type Comparison } from '@svc/core/kyd/comparisons.ts'
import type { Knex } from 'knex'
import { cutPage, type StoredPage } from '../database/storedPage.ts'

export type KydStatus = 'pending' | 'approved' | 'rejected'

export type KydDocumentKind = 'passport' | 'selfie'

/** A request to verify an identity; times are epoch milliseconds. */
export type KydCase = {
  /** Order of arrival. */
  position: number
  /** UUIDv7. */
  id: string
  userId: string
  status: KydStatus
  /** Content of the machine-readable zone, encrypted; null once the documents are deleted. */
  mrzSealed: string | null
  /** What the reviewer compared before approving it; null if it is not approved, or nothing was stated. */
  compared: Comparison[] | null
  /** Reason for the owner if it was rejected. */
  reason: string | null
  submittedAt: number
  decidedAt: number | null
  /** Internal id of the deciding operator. */
  decidedBy: string | null
  documentsDeletedAt: number | null
}

/** A case with its account, for reviewers. */
export type KydCaseOfAccount = KydCase & {
  developerId: string
  email: string | null
  fullName: string | null
  /** Public identifier of the operator who decided. */
  deciderId: string | null
}

/** A picture of a case; `sealed` is encrypted. */
export type KydDocument = {
  kind: KydDocumentKind
  mediaType: string
  width: number
  height: number
  sealed: Uint8Array
}

export type KydStore = ReturnType<typeof createKydStore>

const COLUMNS = {
  position: 'kyd_cases.position',
  id: 'kyd_cases.id',
  userId: 'kyd_cases.user_id',
  status: 'kyd_cases.status',
  mrzSealed: 'kyd_cases.mrz_sealed',
  reason: 'kyd_cases.reason',
  compared: 'kyd_cases.compared',
  submittedAt: 'kyd_cases.submitted_at',
  decidedAt: 'kyd_cases.decided_at',
  decidedBy: 'kyd_cases.decided_by',
  documentsDeletedAt: 'kyd_cases.documents_deleted_at',
}

const ACCOUNT_COLUMNS = {
  ...COLUMNS,
  developerId: 'users.developer_id',
  email: 'users.email',
  fullName: 'users.full_name',
  deciderId: 'deciders.developer_id',
}

/** Stores know-your-developer cases and their pictures. */
export function createKydStore(query: Knex) {
  return {
    /** Reads the newest case of an account; null if it never had one. */
    async latestOf(userId: string, run: Knex = query): Promise<KydCase | null> {
      const row = await run('kyd_cases')
        .select(COLUMNS)
        .where({ user_id: userId })
        .orderBy('position', 'desc')
        .first()
      return row ? caseOf(row) : null
    },

    async byId(id: string, run: Knex = query): Promise<KydCaseOfAccount | null> {
      const row = await casesOfAccounts(run).where({ 'kyd_cases.id': id }).first()
      return row ? caseOf(row) : null
    },

    /**
     * Reads cases with one status: pending ones in order of arrival, decided ones newest first.
     *
     * `before` is the last position of the previous page; `nextBefore` is null at the end.
     */
    async list(
      status: KydStatus,
      page: { limit: number; before: number | null },
    ): Promise<StoredPage<KydCaseOfAccount>> {
      const [order, beyond] = status === 'pending' ? (['asc', '>'] as const) : (['desc', '<'] as const)
      const rows: Record<string, unknown>[] = await casesOfAccounts(query)
        .where({ 'kyd_cases.status': status })
        .modify((cases) => {
          if (page.before !== null) cases.where('kyd_cases.position', beyond, page.before)
        })
        .orderBy('kyd_cases.position', order)
        .limit(page.limit + 1)
      return cutPage(rows, page.limit, (row) => caseOf<KydCaseOfAccount>(row))
    },

    async insert(
      trx: Knex.Transaction,
      kydCase: Pick<KydCase, 'id' | 'userId' | 'mrzSealed' | 'submittedAt'>,
      documents: readonly KydDocument[],
    ): Promise<void> {
      await trx('kyd_cases').insert({
        id: kydCase.id,
        user_id: kydCase.userId,
        status: 'pending',
        mrz_sealed: kydCase.mrzSealed,
        submitted_at: kydCase.submittedAt,
      })
      for (const { kind, mediaType, width, height, sealed } of documents) {
        await trx('kyd_documents').insert({
          case_id: kydCase.id,
          kind,
          media_type: mediaType,
          width,
          height,
          sealed: Buffer.from(sealed),
        })
      }
    },

    async document(caseId: string, kind: KydDocumentKind): Promise<KydDocument | null> {
      const row = await query('kyd_documents')
        .select({ kind: 'kind', mediaType: 'media_type', width: 'width', height: 'height', sealed: 'sealed' })
        .where({ case_id: caseId, kind })
        .first()
      return row ?? null
    },

    /** Lists the pictures of a case without their content. */
    async documentsOf(caseId: string): Promise<Omit<KydDocument, 'sealed'>[]> {
      return query('kyd_documents')
        .select({ kind: 'kind', mediaType: 'media_type', width: 'width', height: 'height' })
        .where({ case_id: caseId })
        .orderBy('kind')
    },

    /** Decides a case; false if it is already decided. */
    async decide(
      trx: Knex.Transaction,
      id: string,
      decision: Pick<KydCase, 'reason' | 'compared'> & {
        status: 'approved' | 'rejected'
        decidedAt: number
        decidedBy: string
      },
    ): Promise<boolean> {
      const decided = await trx('kyd_cases')
        .where({ id, status: 'pending' })
        .update({
          status: decision.status,
          reason: decision.reason,
          compared: decision.compared?.join(',') ?? null,
          decided_at: decision.decidedAt,
          decided_by: decision.decidedBy,
        })
      return decided > 0
    },

    /** Marks an account's identity as verified. */
    async verify(trx: Knex.Transaction, userId: string, verifiedAt: number): Promise<void> {
      await trx('users').update({ kyd_verified_at: verifiedAt }).where({ id: userId })
    },

    /** Removes an account's verified mark, and rejects its pending case. */
    async withdraw(
      trx: Knex.Transaction,
      userId: string,
      { reason, decidedAt }: { reason: string; decidedAt: number },
    ): Promise<void> {
      await trx('users').update({ kyd_verified_at: null }).where({ id: userId })
      await trx('kyd_cases')
        .update({ status: 'rejected', reason, decided_at: decidedAt })
        .where({ user_id: userId, status: 'pending' })
    },

    /** Reads cases decided by then whose pictures still exist, oldest first. */
    async keptSince(decidedBy: number, limit: number): Promise<string[]> {
      const rows = await query('kyd_cases')
        .select({ id: 'id' })
        .whereNot({ status: 'pending' })
        .whereNull('documents_deleted_at')
        .where('decided_at', '<=', decidedBy)
        .orderBy('decided_at')
        .limit(limit)
      return rows.map(({ id }) => String(id))
    },

    /** Deletes the pictures and the machine-readable zone of a case. */
    async deleteDocuments(trx: Knex.Transaction, id: string, now: number): Promise<void> {
      await trx('kyd_documents').delete().where({ case_id: id })
      await trx('kyd_cases').where({ id }).update({ mrz_sealed: null, documents_deleted_at: now })
    },
  }
}

function casesOfAccounts(run: Knex) {
  return run('kyd_cases')
    .join('users', 'users.id', 'kyd_cases.user_id')
    .leftJoin('users as deciders', 'deciders.id', 'kyd_cases.decided_by')
    .select(ACCOUNT_COLUMNS)
}

function caseOf<Case extends KydCase>(row: Record<string, unknown>): Case {
  const time = (value: unknown) => (value === null ? null : Number(value))
  return {
    ...(row as Case),
    compared: comparedOf(row.compared),
    position: Number(row.position),
    submittedAt: Number(row.submittedAt),
    decidedAt: time(row.decidedAt),
    documentsDeletedAt: time(row.documentsDeletedAt),
  }
}

function comparedOf(stored: unknown): Comparison[] | null {
  if (stored === null) return null
  const names = String(stored).split(',')
  return COMPARISONS.filter((comparison) => names.includes(comparison))
}
