URL = "postgres://billing:Zq83hVn2Lw0t@db7.internal-net.io:5432/billing"
