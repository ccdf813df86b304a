import type { IconName } from '../../parts/Icon.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { useListQuery } from './ModerationPage.tsx'

/** Shown in place of an empty list of operators. */
export function NoSubjects({ icon, what }: { icon: IconName; what: string }) {
  const { search, status } = useListQuery()
  if (search === '' && status === '') {
    return <EmptyNote icon={icon} title={`No ${what} yet`} description={`New ${what} appear here.`} />
  }
  return <EmptyNote icon="search" title="No matches" description="No results for this search and status." />
}
