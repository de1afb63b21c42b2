package main

type declareCommand struct {
	DBT  declareDBTCommand  `cmd:"" name:"dbt" help:"Declare the lineage of a dbt project."`
	Edge declareEdgeCommand `cmd:"" help:"State by hand that one dataset is made of another."`
}
