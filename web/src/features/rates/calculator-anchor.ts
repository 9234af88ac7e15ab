/** The fragment that leads to the calculator of a tariff's page. */
export const calculatorAnchor = 'calculator';
