import type { NativeSelectProps } from '@mantine/core'
import { Suspense } from 'react'
import { useChosenOrganisation } from '../api/useChosenOrganisation.ts'
import { loadLater } from '../router/loadLater.ts'

const OrganisationSelect = loadLater(
  async () => (await import('./OrganisationSelect.tsx')).OrganisationSelect,
)

/** With a single organisation there is nothing to switch. */
const SHOWN_FROM = 2

/** Chooses the organisation that lists and forms begin with. */
export function OrganisationSwitcher(style: Pick<NativeSelectProps, 'visibleFrom' | 'hiddenFrom' | 'mb'>) {
  const { organisations } = useChosenOrganisation()
  if (organisations.length < SHOWN_FROM) return null
  return (
    <Suspense fallback={null}>
      <OrganisationSelect {...style} />
    </Suspense>
  )
}
