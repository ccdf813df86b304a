declare module 'json-logic-js' {
  const jsonLogic: { apply(rule: object, data: object): unknown }
  export default jsonLogic
}
