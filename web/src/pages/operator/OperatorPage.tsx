import { SegmentedControl } from '@mantine/core'
import { useApiList } from '../../api/useApiList.ts'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { RowLink } from '../../parts/lists/RowLink.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { navigate, useAddress } from '../../router/navigate.ts'

const STATES = [
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
]

/** The identity cases for operators: pending ones, oldest first, and decided ones. */
export function OperatorPage() {
  const { search } = useAddress()
  const shown = STATES.find(({ value }) => value === search.get('show'))?.value ?? 'pending'
  const query = useApiList('GET /api/admin/kyd', { query: { status: shown } })
  return (
    <>
      <PageHeader
        title="Identity review"
        description="Developers who have asked to be verified. Every decision is recorded with the operator who made it."
      >
        <SegmentedControl
          aria-label="Filter cases"
          value={shown}
          onChange={(value) =>
            navigate(value === 'pending' ? '/operator' : `/operator?show=${value}`, { replace: true })
          }
          data={STATES}
        />
      </PageHeader>
      <Rows
        query={query}
        empty={
          <EmptyNote
            icon="shield"
            title="No cases"
            description="New cases appear here as they are submitted."
          />
        }
      >
        {(one) => (
          <RowLink
            key={one.id}
            to={`/operator/${one.id}`}
            title={one.fullName ?? one.email ?? one.developerId}
            about={
              <>
                {one.email} · submitted <When time={one.submittedAt} />
              </>
            }
          >
            <StatusBadge value={one.status} />
          </RowLink>
        )}
      </Rows>
    </>
  )
}
