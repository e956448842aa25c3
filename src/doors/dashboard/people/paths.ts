export const PEOPLE = '/dashboard/people';
export const INVITE = `${PEOPLE}/invite`;

export const personPath = (personId: number) => `${PEOPLE}/${personId}`;
