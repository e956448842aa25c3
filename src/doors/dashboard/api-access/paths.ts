export const API_ACCESS = '/dashboard/api-access';
export const NEW_TOKEN = `${API_ACCESS}/new`;

export const tokenPath = (tokenId: number) => `${API_ACCESS}/${tokenId}`;
