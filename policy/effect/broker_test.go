package effect

import "testing"

// Topics, queues, keys, indexes and buckets of tests, and what a stand-in for a cloud holds on this machine, are made to
// be thrown away. The same verb for anything else is told of.
func TestTrialsOfBrokers(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, committed), []string{
		"celery -A app purge -f", "celery -A app purge -f -Q orders", "celery -A app purge -f -Q test,orders", "rabbitmqctl purge_queue orders", "rabbitmqadmin -H localhost delete queue name=orders", "rabbitmqadmin -H mq.example.com delete queue name=test.orders", "ssh box rabbitmqctl purge_queue test.orders",
		"rpk topic delete orders", "rpk topic delete orders orders-test", "rpk topic delete orders-test -X brokers=kafka.example.com:9092", "kafka-consumer-groups --bootstrap-server kafka.example.com:9092 --group g --topic orders-test --reset-offsets --to-earliest --execute",
		"kafka-consumer-groups --bootstrap-server localhost:9092 --group g --all-topics --reset-offsets --to-earliest --execute", "kafka-topics --bootstrap-server localhost:9092 --delete --topic $T", "mc rm --recursive --force local/raw/2024/", "nats stream rm LATEST -f",
		"redis-cli --scan --pattern '*' | xargs redis-cli del", "redis-cli --scan --pattern 'testimonials:*' | xargs redis-cli del", "redis-cli keys test:live:* | xargs redis-cli del",
		"aws s3 rb s3://raw --force", "aws --endpoint-url https://s3.example.com s3 rb s3://raw --force", "aws --endpoint-url http://localhost:4566 --endpoint-url https://s3.example.com s3 rb s3://raw --force",
		"curl -X DELETE localhost:9200/orders", "curl -X DELETE localhost:9200/orders-test,orders", "curl -X DELETE 'localhost:9200/*-test'", "curl -X DELETE https://es.example.com/orders-test", "curl -XPOST localhost:9200/orders/_delete_by_query -d '{}'",
		"etcdctl del --prefix /orders/", "etcdctl --endpoints=etcd.example.com:2379 del --prefix /test/", "consul kv delete -recurse app/", "vault kv delete -address=http://127.0.0.1:8200 secret/app", "vault kv delete -address=https://vault.example.com secret/test/app", "temporal operator namespace delete --namespace shop --yes --address localhost:7233",
		"dbt run-operation drop_old_relations --args '{dry_run: false}'", "dotnet ef database drop --force", "dotnet ef database drop --force --context ShopContext",
		"sqlcmd -S localhost -Q 'DROP DATABASE Shop'", "sqlcmd -S sql.example.com -Q 'DROP DATABASE ShopTest'", "sqlcmd -S localhost -Q 'DROP DATABASE Contest'",
	}, []string{
		"celery -A app purge -f -Q test", "celery -A app purge -f -Q test.mail,orders-test", "rabbitmqctl purge_queue test.orders", "docker compose exec rabbitmq rabbitmqctl purge_queue test.orders", "rabbitmqadmin -H localhost delete queue name=test.orders",
		"rpk topic delete orders-test", "rpk topic delete orders-test -X brokers=localhost:19092,127.0.0.1:19093", "kafka-consumer-groups --bootstrap-server localhost:9092 --group g --topic orders-test --reset-offsets --to-earliest --execute",
		"mc rm --recursive --force local/raw-test/2024/", "nats stream rm ORDERS_TEST -f", "redis-cli --scan --pattern 'test:*' | xargs -r redis-cli del", "redis-cli keys 'e2e:*' | xargs redis-cli del",
		"aws --endpoint-url http://localhost:4566 s3 rb s3://raw --force", "AWS_ENDPOINT_URL=http://127.0.0.1:4566 aws s3 rb s3://raw --force", "awslocal dynamodb delete-table --table-name orders",
		"curl -X DELETE localhost:9200/orders-test", "curl -X DELETE http://localhost:6333/collections/test_docs", "curl -XPOST localhost:9200/orders-test/_delete_by_query -d '{}'",
		"etcdctl --endpoints=localhost:2379 del --prefix /test/", "consul kv delete -recurse test/", "vault kv delete -address=http://127.0.0.1:8200 secret/test/app", "temporal operator namespace delete --namespace test-ns --yes --address localhost:7233",
		"dbt run-operation drop_old_relations --args '{dry_run: true}'", "dotnet ef database drop --force --context TestContext", "sqlcmd -S tcp:localhost,1433 -Q 'DROP DATABASE IF EXISTS ShopTest'",
	})
}

// What a container of the project has for itself alone ends with it.
func TestTrialsInCompose(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, committed+` && mkdir bare kept && printf 'services:\n  db:\n    image: postgres\n    tmpfs: /var/lib/postgresql/data\n  redis:\n    image: redis\n' > bare/compose.yml && printf 'services:\n  db:\n    image: postgres\n    volumes: [data:/var/lib/postgresql/data]\nvolumes:\n  data:\n' | tee kept/compose.yml > kept/compose.test.yml && printf 'name: shoptest\n' >> kept/compose.test.yml`), []string{
		"cd kept && docker compose exec -T db psql -U app -c 'drop schema public cascade'", "cd kept && docker compose exec redis redis-cli flushall", "docker compose exec db psql -c 'drop database app'", "ssh box 'cd bare && docker compose exec -T db psql -c \"drop database app\"'",
		"cd bare && docker compose exec -T db psql -h db.example.com -c 'drop database app'", "cd bare && docker compose exec -T db psql postgres://u@db.example.com/app -c 'drop table t'", "cd bare && docker compose exec redis redis-cli -h cache.example.com flushall", "cd bare && docker compose -p shop exec redis redis-cli flushall",
		"cd bare && docker compose exec -T db psql -d app_prod -c 'drop schema public cascade'", "cd bare && redis-cli flushall",
		"cd kept && docker volume rm shop_data", "cd kept && docker volume rm shoptest_data shop_data", "docker volume rm latest_data", "docker exec latest-db psql -U postgres -c 'drop schema public cascade'", "ssh box \"docker exec svc-test-db psql -c 'drop schema public cascade'\"", "docker exec svc-test-db psql -h db.example.com -c 'drop schema public cascade'",
		"docker volume prune -f --filter label=app=shop", "docker volume prune -f", "docker ps -aq | xargs docker rm -f -v", "docker ps -aq --filter label=app=shop | xargs docker rm -f -v", "docker volume rm $(docker volume ls -q)",
	}, []string{
		"cd bare && docker compose exec -T db psql -U app -c 'drop schema public cascade'", "cd bare && docker compose exec redis redis-cli -n 5 flushdb", "cd bare && docker-compose exec -T db dropdb -h db app", "cd kept && docker compose -f compose.test.yml exec -T db psql -U app -c 'truncate t'", "cd bare && docker compose exec -T db sh -c 'psql -c \"drop table t\"'",
		"cd kept && docker volume rm shoptest_data", "docker volume rm shop-test_data", "docker exec svc-test-db psql -U postgres -c 'drop schema public cascade'",
		"docker volume prune -f --filter label=org.testcontainers=true", "docker ps -aq --filter label=org.testcontainers=true | xargs -r docker rm -f -v",
	})
}

// Pods that are over are no loss, however the line finds them.
func TestPodsThatEnded(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, committed), []string{
		"kubectl get pods -o name | xargs kubectl delete pod", "kubectl get pods | grep -v Completed | awk '{print $1}' | xargs kubectl delete pod", "kubectl --context prod get pods | grep Evicted | awk '{print $1}' | xargs kubectl --context prod delete pod",
		"kubectl -n a get pods | grep Evicted | xargs kubectl -n b delete pod", "kubectl get pvc | grep Error | xargs kubectl delete pvc",
	}, []string{
		`kubectl -n shop get pods | awk '$3=="Evicted"{print $1}' | xargs -r kubectl -n shop delete pod`, "kubectl get pods --field-selector=status.phase=Failed -o name | xargs kubectl delete pod", "kubectl get po | grep CrashLoopBackOff | awk '{print $1}' | xargs kubectl delete pod",
	})
}
