import { Alert, createTheme, Modal, Paper } from '@mantine/core'
import classes from './theme.module.css'

/** The look of the dashboard: system fonts, so that nothing is fetched from elsewhere. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: {
    Paper: Paper.extend({ classNames: { root: classes.paper } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      classNames: { header: classes.modalHeader, title: classes.modalTitle },
    }),
    Alert: Alert.extend({ classNames: { root: classes.alert } }),
  },
})
