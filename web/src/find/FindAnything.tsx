import { Combobox, Modal, ScrollArea, Text, TextInput, useCombobox } from '@mantine/core'
import { useLayoutEffect } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { navigate } from '../router/navigate.ts'
import type { Finding } from './describeFinding.ts'
import classes from './FindAnything.module.css'
import { useFindings } from './useFindings.ts'

type Props = { isOperator: boolean; text: string; setText: (text: string) => void; onClose: () => void }

/**
 * A dialog that goes to any page, agent, endpoint, organisation or key by name, to anything by its identifier, and to the
 * documentation.
 */
export function FindAnything({ isOperator, text, setText, onClose }: Props) {
  const { findings, docs, isSearching, refusal } = useFindings(text, isOperator)
  // Escape closes the list, which is all that the dialog holds.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose })
  const found = [...findings, ...docs].map(({ to }) => to).join(' ')
  // Enter goes to the best finding without a further key, from the moment the finding is shown.
  useLayoutEffect(() => {
    if (found !== '') combobox.selectFirstOption()
  }, [found, combobox.selectFirstOption])
  const go = (to: string) => {
    // The documentation is a site of its own, which the browser has to load.
    if (to.startsWith('/docs/')) return window.location.assign(to)
    onClose()
    navigate(to)
  }
  return (
    <Modal opened onClose={onClose} title="Find" size="lg" yOffset="12vh" padding="md">
      <Combobox store={combobox} onOptionSubmit={go} withinPortal={false}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label="Find a page, agent, endpoint, organisation or key"
            placeholder="Name, identifier or a word of the docs"
            leftSection={<Icon name="search" size={16} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <ScrollArea.Autosize mah="50vh" type="scroll" mt="sm" viewportProps={{ tabIndex: 0 }}>
          <Combobox.Options aria-label="Found">
            {findings.map(showFinding)}
            {docs.length > 0 && <Combobox.Group label="Docs">{docs.map(showFinding)}</Combobox.Group>}
            {found === '' && (
              <Combobox.Empty>{isSearching ? 'Searching…' : (refusal ?? 'Nothing found')}</Combobox.Empty>
            )}
          </Combobox.Options>
        </ScrollArea.Autosize>
      </Combobox>
    </Modal>
  )
}

function showFinding({ to, name, about, icon }: Finding) {
  return (
    <Combobox.Option key={`${about} ${to}`} value={to} className={classes.option}>
      <Icon name={icon} size={16} />
      <Text span size="sm" lineClamp={2} className={classes.name}>
        {name}
      </Text>
      <Text span size="xs">
        {about}
      </Text>
    </Combobox.Option>
  )
}
