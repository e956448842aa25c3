import base64
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("wholesale", sys.argv[1])
wholesale = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(wholesale)
job = json.loads(sys.argv[2])
pauses, results = [], []
api = wholesale.Wholesale(
    job["url"], job["token"], job["domain"], job["timeout"], job["attempts"], pauses.append, job["headers"]
)
for method, *args in job["calls"]:
    try:
        result = getattr(api, method)(*args)
        results.append({"result": base64.b64encode(result).decode() if isinstance(result, bytes) else result})
    except Exception as error:
        status, body = getattr(error, "status", None), getattr(error, "body", None)
        results.append({"error": {"status": status, "body": body, "message": str(error)}})
print(json.dumps({"results": results, "pauses": pauses}))
