export class ClientView {
  name = '';
  email = '';
  suspended = false;

  constructor(readonly id: number) {}
}
