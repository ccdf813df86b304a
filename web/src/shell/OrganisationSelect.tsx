import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useChosenOrganisation } from '../api/useChosenOrganisation.ts'

const ALL = { value: '', label: 'All organisations' }

/** The field of the switcher, loaded only for the few accounts with several organisations. */
export function OrganisationSelect(style: Pick<NativeSelectProps, 'visibleFrom' | 'hiddenFrom' | 'mb'>) {
  const { organisations, chosen, choose } = useChosenOrganisation()
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
