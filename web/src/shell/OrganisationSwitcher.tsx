import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useChosenOrganisation } from '../api/useChosenOrganisation.ts'

const ALL = { value: '', label: 'All organisations' }
/** With a single organisation there is nothing to switch. */
const SHOWN_FROM = 2

/** Chooses the organisation that lists and forms begin with. */
export function OrganisationSwitcher(style: Pick<NativeSelectProps, 'visibleFrom' | 'hiddenFrom' | 'mb'>) {
  const { organisations, chosen, choose } = useChosenOrganisation()
  if (organisations.length < SHOWN_FROM) return null
  return (
    <NativeSelect
      aria-label="Organisation"
      maw={220}
      value={chosen?.organizationId ?? ALL.value}
      data={[
        ALL,
        ...organisations.map(({ organizationId, name }) => ({ value: organizationId, label: name })),
      ]}
      onChange={(event) => choose(event.currentTarget.value || null)}
      {...style}
    />
  )
}
