import { useApiQuery } from '../../api/useApiQuery.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Section } from '../../parts/Section.tsx'

const COUNTED_MAX = 100

/** Identities that wait for an operator; hidden if there are none. */
export function CasesSection() {
  const query = useApiQuery('GET /api/admin/kyd', {
    query: { status: 'pending', limit: COUNTED_MAX },
    pollMs: 60_000,
  })
  const count = query.data?.items.length ?? 0
  if (count === 0) return null
  return (
    <Section
      title={
        count === 1
          ? 'An identity needs your review'
          : `${count < COUNTED_MAX ? count : 'More than 99'} identities need your review`
      }
      description="Nothing is verified until an operator decides."
      right={
        <LinkButton to="/operator" size="xs">
          Review
        </LinkButton>
      }
    >
      {null}
    </Section>
  )
}
