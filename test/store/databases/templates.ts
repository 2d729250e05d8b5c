/** What the names of the templates of one run begin with, by the address at which it answers with its server. */
export const templatesOf = (address: string): string => `template_${new URL(address).port}_`;
